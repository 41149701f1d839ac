"""Ids that are written as text: numbers with blanks or commas between, or a JSON list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NoReturn

from bytepair.cli import words
from bytepair.cli.streams import chunks
from bytepair.errors import FormatError

__all__ = ["IdReader"]

# No id has more digits: what is longer is no list of ids, and must not be gathered without end.
MOST_DIGITS = 10
BETWEEN = (b" ", b"\n", b",", b"\t", b"\r", b"\v", b"\f", b"[", b"]")


class IdReader:
    """Reads ids from `file`, a list for each chunk; `place` is what messages call it.

    >>> import io
    >>> [*IdReader(io.BytesIO(b"[1, 22]"), "here")]
    [[1, 22], []]
    """

    def __init__(self, file: BinaryIO, place: str) -> None:
        self.file, self.place = file, place
        self.read = 0
        self.opened = self.closed = False

    def __iter__(self) -> Iterator[list[int]]:
        rest = b""
        for chunk in chunks(self.file):
            data = rest + chunk
            # What stands at the very end may go on in the next chunk.
            end = 1 + max(data.rfind(between) for between in BETWEEN)
            yield self.ids(data[:end])
            rest = data[end:]
            if len(rest) > MOST_DIGITS:
                self.refuse(rest)
        yield self.ids(rest)
        if self.opened and not self.closed:
            raise FormatError(f"the list in {self.place} begins with `[` and has no `]`")

    def ids(self, data: bytes) -> list[int]:
        items = data.replace(b",", b" ").replace(b"[", b" [ ").replace(b"]", b" ] ").split()
        found: list[int] = []
        for item in items:
            if not self.closed and item.isdigit() and len(item) <= MOST_DIGITS:
                found.append(int(item))
                self.read += 1
            elif item == b"[" and not self.opened and self.read == 0:
                self.opened = True
            elif item == b"]" and self.opened and not self.closed:
                self.closed = True
            else:
                self.refuse(item)
        return found

    def refuse(self, item: bytes) -> NoReturn:
        shown = words.printable(item[:40]) + ("…" if len(item) > 40 else "")
        raise FormatError(
            f"item {self.read + 1:,} of {self.place}: `{shown}` is no id",
            hint="ids are numbers with blanks, newlines or commas between, or a JSON list",
        )
