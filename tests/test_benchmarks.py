"""The benchmarks run, compare before they time, and their tables are those of the results."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def run(root: Path, *arguments: str) -> str:
    # The small texts of the checkout: the same figures with and without the large ones.
    environment = {**os.environ, "BYTEPAIR_SHARED": str(root / "absent")}
    command = [sys.executable, *arguments]
    result = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture
def measured(root: Path) -> Any:
    try:
        importlib.metadata.version("bytepair")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("bytepair is not installed, and a figure without its version is none")

    def measure(*arguments: str) -> Any:
        return json.loads(run(root, "benchmarks/measure.py", *arguments))

    return measure


@pytest.mark.parametrize("library", ["bytepair", "tiktoken", "tokenizers"])
@pytest.mark.parametrize("task", ["document to list", "batch to list", "short", "decode"])
def test_encoding(measured: Any, library: str, task: str) -> None:
    row = measured("encode", library, "gpt2", "english", task, "--bytes", "20000")
    assert row["verdict"]["agrees"] and row["verdict"]["of"] > 0
    assert (row["library"], row["text"], row["bytes"]) == (library, "bundled", 20_000)
    assert all(min(figure["cpu"]) > 0 for figure in row["figures"].values())
    assert row["version"] and row["commit"] and row["cpu"] and row["memory"]["peak"] > 0


@pytest.mark.parametrize("library", ["bytepair", "tokenizers"])
def test_training(measured: Any, library: str) -> None:
    row = measured("train", library, "400", "english", "--bytes", "20000")
    assert row["verdict"]["agrees"] and row["verdict"]["of"] == 144


def test_a_difference_is_told(root: Path) -> None:
    code = "from agreement import compare; print(compare([1, 2, 9, 4], [1, 2, 3, 4]))"
    told = run(root, "-c", f"import sys; sys.path.insert(0, 'benchmarks'); {code}")
    assert "'agrees': False, 'first': 2" in told


def test_the_tables_are_those_of_the_results(root: Path) -> None:
    run(root, "benchmarks/render.py", "--check")
