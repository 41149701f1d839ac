"""Show the tokens of a text with their ids.

Tokens are coloured on a terminal and stand between bars elsewhere. A blank is
`·`, a newline `⏎`, a tab `→`; a part of a character is its bytes in hex, as
`\\xe6`; what cannot be seen is its code point, as `\\u200d`.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bytepair.cli import words
from bytepair.cli.options import add_allowed_special, add_tokenizer, allowed_special, load_several
from bytepair.cli.streams import print_json, read_text, write_whole

if TYPE_CHECKING:
    from bytepair.tokenizer import Tokenizer

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "coloured tokens with their ids"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_tokenizer(parser, several=True)
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the text; `-` or none: stdin")
    add_allowed_special(parser)
    parser.add_argument("--no-ids", action="store_true", help="the tokens alone")
    parser.add_argument("--html", metavar="OUT", help="write a page to OUT instead")
    parser.add_argument("--json", action="store_true", help="write one JSON object")


def run(options: argparse.Namespace) -> int:
    tokenizers = load_several(options.tokenizer)
    text = read_text(options.text)
    allowed = allowed_special(options.allowed_special)
    ids = {name: tok.encode(text, allowed_special=allowed) for name, tok in tokenizers.items()}
    if options.html is not None:
        save_page(options.html, text, tokenizers, ids, with_ids=not options.no_ids)
    if options.json:
        print_object(text, tokenizers, ids)
    elif options.html is None:
        show(text, tokenizers, ids, with_ids=not options.no_ids)
    return 0


def show(
    text: str | bytes,
    tokenizers: dict[str, Tokenizer],
    ids: dict[str, list[int]],
    *,
    with_ids: bool,
) -> None:
    from bytepair.cli.screen import Screen
    from bytepair.view.terminal import print_tokens

    console = Screen()
    for at, (name, tokenizer) in enumerate(tokenizers.items()):
        if at:
            console.print()
        print_tokens(name, text, tokenizer, ids[name], console, with_ids=with_ids)


def save_page(
    path: str,
    text: str | bytes,
    tokenizers: dict[str, Tokenizer],
    ids: dict[str, list[int]],
    *,
    with_ids: bool,
) -> None:
    from bytepair.view.html import page_html, tokens_html
    from bytepair.view.pieces import summary, token_views

    sections = [
        (
            f"{name}: {summary(text, len(ids[name]))}",
            tokens_html(token_views(tokenizer, ids[name]), with_ids=with_ids),
        )
        for name, tokenizer in tokenizers.items()
    ]
    with write_whole(path) as file:
        file.write(page_html("Tokens", sections).encode())
    words.say(f"wrote {words.printable(path)}")


def print_object(
    text: str | bytes, tokenizers: dict[str, Tokenizer], ids: dict[str, list[int]]
) -> None:
    from bytepair.view.pieces import byte_length, token_views

    results = [
        {
            "tokenizer": name,
            "count": len(ids[name]),
            "tokens": [
                {"id": view.id, "text": view.text, "hex": view.data.hex(), "special": view.special}
                for view in token_views(tokenizer, ids[name])
            ],
        }
        for name, tokenizer in tokenizers.items()
    ]
    print_json({"bytes": byte_length(text), "results": results})
