"""Count tokens, like wc.

A line for each file has its tokens, its bytes and its name; a total follows.
More than one --tokenizer gives a column for each, under a line of names. With
--limit, files with more tokens are named on stderr, and the exit code is 3.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from bytepair.cli import words
from bytepair.cli.options import (
    add_allowed_special,
    add_tokenizer,
    allowed_special,
    load_several,
    whole_number,
)
from bytepair.cli.streams import CHUNK, STDIN, chunks, open_input, print_json, rereadable
from bytepair.errors import BytepairError, SpecialTokenError

if TYPE_CHECKING:
    from bytepair.tokenizer import Tokenizer

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "tokens, like wc"
ERROR, FINDINGS = 1, 3
# Up to this many bytes a file is counted in one piece, which is faster; a larger one as a stream.
WHOLE = 1 << 25
NO_SUCH_FILE = "FILE names a file; a text itself goes in as `echo TEXT | bytepair count`"


class Line(NamedTuple):
    """A file's numbers; `tokens` by the tokenizers' names."""

    name: str
    bytes: int
    tokens: Mapping[str, int]

    def over(self, limit: int | None) -> bool:
        return limit is not None and max(self.tokens.values()) > limit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_tokenizer(parser, several=True)
    parser.add_argument("files", metavar="FILE", nargs="*", help="the text; `-` or none: stdin")
    add_allowed_special(parser)
    parser.add_argument(
        "--limit",
        metavar="N",
        type=whole_number(0),
        help="exit with 3 if a file has more than N tokens",
    )
    parser.add_argument("--json", action="store_true", help="write one JSON object")


def run(options: argparse.Namespace) -> int:
    tokenizers = load_several(options.tokenizer)
    allowed = allowed_special(options.allowed_special)
    lines: list[Line] = []
    failed = False
    for name in options.files or [None]:
        try:
            lines.append(counted(name, tokenizers, allowed))
        except SpecialTokenError:
            raise
        except (BytepairError, OSError) as error:  # the other files are still worth counting
            failed = True
            words.error(*words.explained(error))
    total = total_of(lines, tokenizers)
    if options.json:
        print_object(lines, total, options.limit)
    elif lines:
        shown = [*lines, total] if len(options.files) > 1 else lines
        print_table(shown, list(tokenizers))
    found = report_findings(lines, options.limit)
    return ERROR if failed else FINDINGS if found else 0


def counted(
    name: str | None, tokenizers: Mapping[str, Tokenizer], allowed: Collection[str]
) -> Line:
    with open_input(name, NO_SUCH_FILE) as given, contextlib.ExitStack() as stack:
        file = given if len(tokenizers) == 1 else stack.enter_context(rereadable(given))
        start = file.tell() if file.seekable() else 0
        tokens = {}
        size = 0
        for at, (label, tokenizer) in enumerate(tokenizers.items()):
            if at:
                file.seek(start)
            size, tokens[label] = measured(file, tokenizer, allowed)
    return Line(name or STDIN, size, tokens)


def measured(file: BinaryIO, tokenizer: Tokenizer, allowed: Collection[str]) -> tuple[int, int]:
    """Bytes and tokens of what is left of `file`."""
    data = file.read(WHOLE)
    if len(data) < WHOLE:
        return len(data), tokenizer.count(data, allowed_special=allowed)
    size = 0

    def watched() -> Iterator[bytes]:
        nonlocal size
        # The ids of a chunk are in memory together, so that even the first is cut up.
        begun = (data[at : at + CHUNK] for at in range(0, len(data), CHUNK))
        for chunk in chain(begun, chunks(file)):
            size += len(chunk)
            yield chunk

    tokens = sum(1 for _ in tokenizer.encode_stream(watched(), allowed_special=allowed))
    return size, tokens


def total_of(lines: Sequence[Line], names: Iterable[str]) -> Line:
    tokens = {name: sum(line.tokens[name] for line in lines) for name in names}
    return Line("total", sum(line.bytes for line in lines), tokens)


def print_table(lines: Sequence[Line], names: Sequence[str]) -> None:
    rows = [[*(str(n) for n in (*line.tokens.values(), line.bytes)), line.name] for line in lines]
    if len(names) > 1:
        rows.insert(0, [*names, "bytes", ""])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for *numbers, name in rows:
        cells = [f"{words.printable(n):>{w}}" for n, w in zip(numbers, widths, strict=True)]
        print(" ".join([*cells, words.printable(name)]).rstrip())


def print_object(lines: Sequence[Line], total: Line, limit: int | None) -> None:
    files = [
        {"file": line.name, "bytes": line.bytes, "tokens": line.tokens}
        | ({} if limit is None else {"over_limit": line.over(limit)})
        for line in lines
    ]
    print_json({"files": files, "total": {"bytes": total.bytes, "tokens": total.tokens}})


def report_findings(lines: Iterable[Line], limit: int | None) -> bool:
    """Names each file that is over the limit; whether there was one."""
    found = [line for line in lines if line.over(limit)]
    for line in found:
        over = {name: n for name, n in line.tokens.items() if limit is not None and n > limit}
        numbers = ", ".join(f"{n:,} of {words.printable(name)}" for name, n in over.items())
        words.warning(f"`{words.printable(line.name)}` has more than {limit:,} tokens: {numbers}")
    return bool(found)
