"""The reference needs nothing, runs from a bare checkout, and what it wrote is current."""

from __future__ import annotations

import ast
import doctest
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULES = ["bpe", "pattern", "pretokenize", "special", "train", "tokenizer", "trace", "unicode"]


def run(root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_imports_the_standard_library_alone(root: Path) -> None:
    sources = sorted((root / "python/bytepair/reference").glob("*.py"))
    assert {f"{name}.py" for name in MODULES} < {source.name for source in sources}
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            for name in names:
                ours = name.startswith("bytepair.reference")
                assert ours or name.split(".")[0] in sys.stdlib_module_names, (source, name)


def test_tells_its_story_from_a_bare_checkout(root: Path) -> None:
    """-S leaves out site-packages: nothing that is installed can help."""
    told = run(
        root, "-S", "-m", "bytepair.reference", PYTHONPATH="python", PYTHONIOENCODING="utf-8"
    )
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""
    for part in (
        "utf-8: 19 bytes",
        "260: 'the' + ' ', 3 times, 17 ids left",
        "[260, 104, 257, 111, 110, 32, 260, 99, 256]",
        "gpt2: 'I' \"'ll\" ' pay' ' $' '1234'",
        "encoded: 53636 tokens, 2.48 bytes per token",
        "decoded again, it is the same: True",
        "('天', '气') occurs 2 times",
        "('n', 'ew</w>') occurs 6 times",
    ):
        assert part in told.stdout


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(f"bytepair.reference.{name}")
    assert doctest.testmod(module).failed == 0


def test_docstring_examples_exist() -> None:
    finder = doctest.DocTestFinder()
    for name in ("bpe", "pretokenize", "special", "tokenizer"):
        module = importlib.import_module(f"bytepair.reference.{name}")
        assert any(test.examples for test in finder.find(module)), name


@pytest.mark.parametrize("script", ["scripts/generate_unicode_tables.py", "spec/generate.py"])
def test_generated_files_are_current(root: Path, script: str) -> None:
    checked = run(root, script, "--check")
    assert checked.returncode == 0, checked.stderr
