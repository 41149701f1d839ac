"""The command line in this process, by `run`, and as a program of its own, by `program`."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import bytepair
from bytepair.cli import main

TEXT = "the cat in the hat sat on the mat, the fat cat sat\n"


@dataclass
class Result:
    code: int
    data: bytes
    err: str

    @property
    def out(self) -> str:
        return self.data.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.data)


@pytest.fixture(scope="session")
def tok(tmp_path_factory) -> Path:
    """The file of a small tokenizer: 256 bytes, 13 merges and one special token."""
    path = tmp_path_factory.mktemp("tokenizers") / "small.json"
    trained = bytepair.train([TEXT], 270, special_tokens=["<|end|>"])
    trained.save(path)
    return path


@pytest.fixture(scope="session")
def tokenizer(tok) -> bytepair.Tokenizer:
    return bytepair.load(tok)


@pytest.fixture
def run(capsysbinary, monkeypatch) -> Callable[..., Result]:
    """`run("encode", "-t", …, stdin=…)` calls `main` in this process."""

    def run(*arguments: object, stdin: str | bytes = b"") -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        capsysbinary.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
        return Result(code, out, err.decode())

    return run


@pytest.fixture
def program(tmp_path) -> Callable[..., Result]:
    """`program("encode", …)` runs `python -m bytepair` in an empty folder."""

    def program(*arguments: object, stdin: str | bytes = b"", **environment: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "bytepair", *map(str, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, **environment},
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr.decode())

    return program
