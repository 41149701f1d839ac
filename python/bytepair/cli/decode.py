"""Write the text of ids.

The ids are in FILE, or come from standard input: numbers with blanks, newlines
or commas between, or a JSON list. The bytes are written as they are, with no
newline added, unless --errors says otherwise.
"""

from __future__ import annotations

import argparse
import codecs
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bytepair.cli import words
from bytepair.cli.ids import IdReader
from bytepair.cli.options import add_tokenizer, load_numbered
from bytepair.cli.streams import STDIN, open_input, output, print_json
from bytepair.errors import FormatError, VocabError

if TYPE_CHECKING:
    from bytepair.tokenizer import Tokenizer

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "ids to text"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_tokenizer(parser)
    parser.add_argument("file", metavar="FILE", nargs="?", help="the ids; `-` or none: stdin")
    parser.add_argument(
        "--errors",
        choices=("keep", "replace", "ignore", "strict"),
        default="keep",
        help="bytes that are no UTF-8: keep them, put U+FFFD, leave them out, or fail "
        "(default: keep; with --json, which cannot hold them: replace)",
    )
    parser.add_argument("--skip-special", action="store_true", help="leave special tokens out")
    parser.add_argument(
        "--json", action="store_true", help="write an object with tokens, bytes and text"
    )


def run(options: argparse.Namespace) -> int:
    with open_input(options.file) as file:
        tokenizer = load_numbered(options.tokenizer)
        piped = options.file in {None, STDIN}
        reader = IdReader(file, "stdin" if piped else f"`{words.printable(options.file)}`")
        pieces = decoded(tokenizer, reader, options.skip_special)
        if options.json:
            data = b"".join(pieces)
            errors = "replace" if options.errors == "keep" else options.errors
            text = "".join(as_text([data], errors))
            print_json({"tokens": reader.read, "bytes": len(data), "text": text})
        elif options.errors == "keep":
            output().writelines(pieces)
        else:
            output().writelines(text.encode() for text in as_text(pieces, options.errors))
    return 0


def decoded(tokenizer: Tokenizer, reader: IdReader, skip_special: bool) -> Iterator[bytes]:
    batches: Iterable[list[int]] = reader
    if not getattr(tokenizer, "lossless", True):  # blanks are put between words, whole texts alone
        batches = [[id_ for ids in reader for id_ in ids]]
    done = 0
    for ids in batches:
        try:
            yield tokenizer.decode_bytes(ids, skip_special=skip_special)
        except VocabError:
            raise missing(tokenizer, ids, done, reader.place) from None
        done += len(ids)


def missing(tokenizer: Tokenizer, ids: list[int], done: int, place: str) -> VocabError:
    """The error for the first of `ids` that is no token, with its place in the whole input."""
    for at, id_ in enumerate(ids):
        try:
            tokenizer.token_bytes(id_)
        except VocabError as error:
            where = f"item {done + at + 1:,} of {place}"
            return VocabError(f"{where}: {error.message}", hint=error.hint)
    raise AssertionError("each id is a token, and yet they could not be decoded")


def as_text(pieces: Iterable[bytes], errors: str) -> Iterator[str]:
    """UTF-8 decoded across the ends of the pieces."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors)
    seen = 0
    for data in pieces:
        yield decode_piece(decoder, data, seen)
        seen += len(data)
    yield decode_piece(decoder, b"", seen, last=True)


def decode_piece(
    decoder: codecs.IncrementalDecoder, data: bytes, seen: int, *, last: bool = False
) -> str:
    held = len(decoder.getstate()[0])
    try:
        return decoder.decode(data, last)
    except UnicodeDecodeError as error:
        raise FormatError(
            f"the decoded bytes are no UTF-8: `\\x{error.object[error.start]:02x}` "
            f"at byte {seen - held + error.start:,}",
            hint="`--errors keep` writes them as they are, `--errors replace` puts U+FFFD",
        ) from None
