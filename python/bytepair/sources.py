"""What can be trained on: files, or texts in memory. A source is never guessed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bytepair.arguments import Text
from bytepair.errors import FormatError

__all__ = ["Files", "Source", "files"]

FileFormat = Literal["text", "jsonl"]

_FORMATS: dict[str, FileFormat] = {".jsonl": "jsonl", ".ndjson": "jsonl"}
_LATER = {".parquet", ".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip"}


@dataclass(frozen=True)
class Files:
    """Files to read as texts; made by ``files``."""

    paths: tuple[Path, ...]
    formats: tuple[FileFormat, ...]
    field: str
    separator: str | None


Source = Files | Iterable[Text]


def files(
    *paths: str | os.PathLike[str],
    format: FileFormat | None = None,
    field: str = "text",
    separator: str | None = None,
) -> Files:
    """Files as a source of texts.

    ``format`` is ``"text"`` (a file is one text, or with ``separator`` the texts between its
    occurrences) or ``"jsonl"`` (a text is the string in ``field`` of each line's object); without
    it the suffix decides: ``.jsonl`` and ``.ndjson`` are JSON lines, all else is text. Raises
    ``FormatError`` where a format is not supported, ``FileNotFoundError`` and its like where a file
    cannot be read.

    >>> from bytepair.texts import path
    >>> files(path("corpus.en")).formats
    ('text',)
    """
    if not paths:
        raise ValueError("files() needs at least one path")
    resolved = tuple(Path(path) for path in paths)
    if format not in (None, "text", "jsonl"):
        raise FormatError(f"format `{format}` is not supported", hint='one of "text", "jsonl"')
    if separator == "":
        raise ValueError("separator is the empty text; leave it out for one text a file")
    kinds = tuple(format or _format_of(path) for path in resolved)
    if separator is not None and "jsonl" in kinds:
        raise ValueError("separator splits text files; in JSON lines each line is a text already")
    for path in resolved:
        _check(path)
    return Files(resolved, kinds, field, separator)


def _format_of(path: Path) -> FileFormat:
    suffix = path.suffix.lower()
    if suffix in _LATER:
        raise FormatError(
            f"`{path}`: files of the kind `{suffix}` are not supported",
            hint='unpack it first, or pass format="text" to read its bytes as they are',
        )
    return _FORMATS.get(suffix, "text")


def _check(path: Path) -> None:
    """Fails now rather than after an hour of reading the files before it."""
    with path.open("rb") as file:
        start = file.read(4)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError(
            f"`{path}` begins with the byte-order mark of UTF-16",
            hint="convert it to UTF-8 first, for example with `iconv -f UTF-16 -t UTF-8`",
        )
