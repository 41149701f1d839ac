"""The guide to the command line shows what the commands really print."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "command-line.md"
BLOCKS = re.findall(r"^```console\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.M | re.S)


def steps(block: str) -> list[tuple[str, str]]:
    """Each command of a block, and what it prints."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return [*zip(parts[::2], parts[1::2], strict=True)]


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d\d s\b", "N s", text)


@pytest.mark.skipif(shutil.which("bash") is None, reason="the guide speaks to a shell")
def test_every_block_prints_what_it_shows(tmp_path):
    shutil.copyfile(files("bytepair") / "texts" / "corpus.en", tmp_path / "corpus.txt")
    commands = [step for block in BLOCKS for step in steps(block)]
    assert len(commands) >= 6
    for command, expected in commands:
        done = subprocess.run(
            ["bash", "-c", f'bytepair() {{ "$PYTHON" -m bytepair "$@"; }}; {command}'],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=tmp_path,
            env={**os.environ, "PYTHON": sys.executable, "COLUMNS": "80"},
            check=False,
            encoding="utf-8",
        )
        assert without_times(done.stdout) == without_times(expected), command
