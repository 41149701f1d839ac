"""Bytes in and out: standard streams, files read in chunks, files that appear only when whole."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO, cast

from bytepair.cli import words
from bytepair.errors import BytepairError

__all__ = [
    "CHUNK",
    "STDIN",
    "abandon_output",
    "chunks",
    "flush",
    "open_input",
    "output",
    "prepare",
    "print_json",
    "read_text",
    "rereadable",
    "write_whole",
]

STDIN = "-"
CHUNK = 1 << 20
# What is kept of a pipe in memory before the rest goes to a temporary file.
SPOOL = 1 << 24


def prepare() -> None:
    """UTF-8 on stdout and stderr, whatever the locale: it is what this package speaks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


# ------------------------------------------------------------------ out


def output() -> BinaryIO:
    """Standard output for bytes, after whatever text was printed before."""
    if sys.stdout is None:
        raise BytepairError("standard output is closed")
    sys.stdout.flush()
    return sys.stdout.buffer


def print_json(value: object) -> None:
    """One line of JSON; a name's stray bytes, which no UTF-8 has, as JSON's own `\\udcXX`."""
    import json

    text = json.dumps(value, ensure_ascii=False) + "\n"
    output().write(text.encode("utf-8", "backslashreplace"))


def flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def abandon_output() -> None:
    """Writes out what can be and lets the rest go, so that the interpreter's end is quiet."""
    try:
        flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def write_whole(path: str) -> Iterator[BinaryIO]:
    """A file that replaces `path` when all is written; otherwise the old one stays as it was."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise BytepairError(f"cannot write `{words.printable(path)}`: it is no regular file")
    beside = f"{target}.{os.getpid()}.part"
    try:
        with open(beside, "xb") as file:
            yield file
        os.replace(beside, target)
    except OSError as error:
        raise BytepairError(
            f"cannot write `{words.printable(path)}`: {words.reason(error)}"
        ) from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(beside)


# ------------------------------------------------------------------ in


@contextlib.contextmanager
def open_input(name: str | None, advice: str | None = None) -> Iterator[BinaryIO]:
    """The file of this name, or standard input for none and `-`. `advice` is for a missing file."""
    if name is None or name == STDIN:
        yield standard_input()
        return
    with opened(name, advice) as file:
        yield file


def opened(name: str, advice: str | None) -> BinaryIO:
    try:
        return open(name, "rb")
    except OSError as error:
        message = f"cannot read `{words.printable(name)}`: {words.reason(error)}"
        missing = isinstance(error, FileNotFoundError)
        raise BytepairError(message, hint=advice if missing else None) from error


def standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise BytepairError("standard input is closed")
    if sys.stdin.isatty():
        words.say("reading standard input; Ctrl-D ends it")
    return sys.stdin.buffer


def chunks(file: BinaryIO) -> Iterator[bytes]:
    """The rest of `file`, as it arrives."""
    read = file.read1 if isinstance(file, io.BufferedReader) else file.read
    while chunk := read(CHUNK):
        yield chunk


@contextlib.contextmanager
def rereadable(file: BinaryIO) -> Iterator[BinaryIO]:
    """`file` itself where it can be read again, or else a copy of its contents."""
    if file.seekable():
        yield file
        return
    import tempfile

    with tempfile.SpooledTemporaryFile(SPOOL) as copy:
        for chunk in chunks(file):
            copy.write(chunk)
        copy.seek(0)
        yield cast(BinaryIO, copy)


def read_text(text: str | None) -> str | bytes:
    """A TEXT argument, or standard input for none and `-`. Bytes that are no UTF-8 stay bytes."""
    if text is None or text == STDIN:
        return standard_input().read()
    try:
        text.encode()
    except UnicodeEncodeError:
        return os.fsencode(text)
    return text
