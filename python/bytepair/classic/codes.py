"""Files of BPE codes as subword-nmt writes them: a merge a line, a blank between its parts.

The first line says how words end: ``#version: 0.1`` where the mark ``</w>`` is a symbol of its own,
``#version: 0.2`` where it is glued to the last character of each word. A file without such a line
is of version 0.1.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from bytepair.errors import FormatError

__all__ = ["END_OF_WORD", "Codes", "read_codes", "written_codes"]

#: The mark of these files; they know no other.
END_OF_WORD = "</w>"
HEADER = "#version:"


class Codes(NamedTuple):
    """The merges in order, each once, and whether the mark is glued to the last character."""

    merges: list[tuple[str, str]]
    glued: bool


def read_codes(path: str | os.PathLike[str]) -> Codes:
    """The merges of a file; ``FormatError`` with the line for what is none."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise FormatError(f"`{path}` cannot be read: {error.strerror}") from None
    try:
        lines = data.decode().rstrip("\n").split("\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"`{path}`, line {line:,}: no UTF-8") from None
    glued = False
    first = 1
    if lines[0].startswith(HEADER):
        glued = version_of(lines.pop(0), f"`{path}`, line 1") == (0, 2)
        first = 2
    elif lines == [""]:
        lines = []
    merges = [merge_of(line, path, number) for number, line in enumerate(lines, first)]
    return Codes(list(dict.fromkeys(merges)), glued)


def version_of(line: str, place: str) -> tuple[int, ...]:
    """0.1 or 0.2, with or without zeros behind."""
    given = line.removeprefix(HEADER).strip()
    if not re.fullmatch(r"0\.[12](\.0+)*", given):
        raise FormatError(f"{place}: version `{given}`; this bytepair reads 0.1 and 0.2")
    return (0, int(given[2]))


def merge_of(line: str, path: str | os.PathLike[str], number: int) -> tuple[str, str]:
    left, *rest = line.strip("\r\n ").split(" ")
    if len(rest) != 1 or not left:
        shown = line if len(line) <= 40 else f"{line[:40]}…"
        raise FormatError(
            f"`{path}`, line {number:,}: `{shown}` is no merge",
            hint="a line holds two parts with one blank between",
        )
    return left, rest[0]


def written_codes(merges: Sequence[tuple[str, str]], glued: bool) -> bytes:
    """The content of a file that ``read_codes``, and subword-nmt, reads as these merges."""
    for symbol in symbols(merges):
        if re.search(r"[ \r\n]", symbol):
            raise FormatError(
                f"a file of codes cannot hold `{symbol!r}`: blanks and line ends part its symbols",
                hint="end the path in `.json`",
            )
    lines = [f"{HEADER} {'0.2' if glued else '0.1'}", *(" ".join(merge) for merge in merges)]
    return ("\n".join(lines) + "\n").encode()


def symbols(merges: Iterable[tuple[str, str]]) -> Iterable[str]:
    return (symbol for merge in merges for symbol in merge)
