"""The programs in examples/ run as they stand, warnings as errors, and stay short."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(example: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    # UTF-8 whatever the machine's locale says: the examples print Chinese.
    return subprocess.run(
        [sys.executable, "-W", "error", example],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_there_are_examples():
    assert "demo.py" in [example.name for example in EXAMPLES]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_runs(example, tmp_path):
    done = run(example, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout != ""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_is_short(example):
    assert len(example.read_text(encoding="utf-8").splitlines()) < 40


def test_the_demo_shows_what_it_made(tmp_path):
    out = run(ROOT / "examples" / "demo.py", tmp_path).stdout
    assert "133,027" in out  # bytes of the corpus
    assert "27,758" in out  # pretokens
    assert "4,763" in out  # of them unique
    assert "3.49" in out  # bytes per token
    assert (tmp_path / "tokenizer.json").stat().st_size > 10_000
