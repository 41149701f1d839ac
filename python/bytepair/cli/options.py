"""The options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from bytepair.errors import BytepairError

if TYPE_CHECKING:
    from bytepair.tokenizer import Tokenizer

__all__ = [
    "DEFAULT_TOKENIZER",
    "add_allowed_special",
    "add_tokenizer",
    "allowed_special",
    "load",
    "load_numbered",
    "load_several",
    "whole_number",
]

DEFAULT_TOKENIZER = "o200k_base"


def add_tokenizer(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    help_ = f"a bundled name, a model's name, a file or a folder (default: {DEFAULT_TOKENIZER})"
    if several:
        parser.add_argument(
            "-t",
            "--tokenizer",
            metavar="TOKENIZER",
            action="append",
            help=f"{help_}; may be given more than once",
        )
    else:
        parser.add_argument(
            "-t", "--tokenizer", metavar="TOKENIZER", default=DEFAULT_TOKENIZER, help=help_
        )


def add_allowed_special(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allowed-special",
        metavar="TOKEN",
        action="append",
        default=[],
        help="let this special token's text stand for it, `all` for every one; may be given more "
        "than once (default: none, all text is ordinary)",
    )


def allowed_special(tokens: Collection[str]) -> Collection[str]:
    """What the tokenizers take: a set, or `"all"`."""
    return "all" if "all" in tokens else frozenset(tokens)


def load(name: str) -> Tokenizer:
    import bytepair

    return bytepair.load(name)


def load_numbered(name: str) -> Tokenizer:
    """One whose ids can be written down: patches of bytes are in no table."""
    tokenizer = load(name)
    if not getattr(tokenizer, "numbered", True):
        raise BytepairError(
            f"the patches of `{name}` have no ids, for they are in no table",
            hint="`bytepair show` shows them, `bytepair count` counts them",
        )
    return tokenizer


def load_several(names: Sequence[str] | None) -> dict[str, Tokenizer]:
    """By the names given, in their order, each once."""
    return {name: load(name) for name in dict.fromkeys(names or [DEFAULT_TOKENIZER])}


def whole_number(least: int) -> type[int]:
    """An argument type: a whole number from `least` on. `32_000` is one too."""

    class WholeNumber(int):
        def __new__(cls, text: str) -> WholeNumber:
            try:
                number = super().__new__(cls, text)
            except ValueError:
                raise argparse.ArgumentTypeError(f"`{text}` is no whole number") from None
            if number < least:
                raise argparse.ArgumentTypeError(f"`{text}` is less than {least}")
            return number

    return WholeNumber
