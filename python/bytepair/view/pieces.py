"""A tokenized text as data: what each token holds, safe to print, with nothing hidden.

What would not be seen, or would be taken for something else, is replaced:

- a blank, tab, newline or carriage return by a visible mark (`·`, `→`, `⏎`, `␍`);
- a byte that is only a part of a character by its hex value, `\\xe6`;
- a control, format, unassigned or otherwise invisible character by its code point, `\\u200d`, so
  that no text can send a command to the terminal;
- a character that looks like one of these marks, or like the bar between tokens, by its code point;
  a backslash that would seem to begin an escape by two.

Different bytes never look alike, with or without colour.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from bytepair.protocol import TokenizerLike

__all__ = [
    "BAR",
    "BLANKS",
    "CUT",
    "Kind",
    "Span",
    "TokenView",
    "byte_length",
    "printable",
    "readable",
    "summary",
    "token_views",
]

BLANKS = {" ": "·", "\t": "→", "\n": "⏎", "\r": "␍"}
# A mark that combines needs something to stand on, or it would sit on a border or on the neighbour.
DOTTED_CIRCLE = "◌"
# Between tokens where colour does not part them, and where a token was cut at the end of a row.
BAR, CUT = "│", "┆"
LOOKALIKES = frozenset({*BLANKS.values(), DOTTED_CIRCLE, BAR, CUT})
# Separators other than the blank, controls, formats, surrogates, private and unassigned characters.
UNSEEN_CATEGORIES = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn"})
# Letters and marks that Unicode asks to show as nothing: fillers, joiners, variation selectors.
UNSEEN_RANGES = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0100, 0xE01EF),
)


class Kind(Enum):
    """What a span stands for, which a view may show in its style."""

    TEXT = "text"
    BLANK = "blank"
    ESCAPE = "escape"


class Span(NamedTuple):
    text: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class TokenView:
    """One token of a text: its id if it has one, its bytes, and how to write them."""

    id: int | None
    data: bytes
    spans: tuple[Span, ...]
    special: bool = False

    @property
    def text(self) -> str:
        """The spans in one string.

        >>> TokenView(0, b" a\\n", readable(b" a\\n")).text
        '·a⏎'
        """
        return "".join(span.text for span in self.spans)


def token_views(tokenizer: TokenizerLike, ids: Iterable[int]) -> Iterator[TokenView]:
    """The view of each id in turn; memory does not grow with the number of ids."""
    special: Mapping[str, int] = getattr(tokenizer, "special_tokens", {})
    special_ids = frozenset(special.values())
    numbered: bool = getattr(tokenizer, "numbered", True)
    for number in ids:
        data = tokenizer.token_bytes(number)
        shown = number if numbered else None
        yield TokenView(shown, data, readable(data), number in special_ids)


@lru_cache(maxsize=1 << 14)
def readable(data: bytes) -> tuple[Span, ...]:
    """`data` for human eyes.

    >>> [span.text for span in readable("東 ".encode()[1:])]
    ['\\\\x9d\\\\xb1', '·']
    """
    spans: list[Span] = []
    for character in data.decode("utf-8", "surrogateescape"):
        alone = not spans or spans[-1].kind is not Kind.TEXT
        spans.append(visible(character, alone))
    for at, span in enumerate(spans):
        following = spans[at + 1].text if at + 1 < len(spans) else ""
        if span.text == "\\" and following.startswith(("\\", "x", "u", "U")):
            spans[at] = Span("\\\\", span.kind)
    return tuple(
        Span("".join(span.text for span in run), kind)
        for kind, run in groupby(spans, key=lambda span: span.kind)
    )


def visible(character: str, alone: bool) -> Span:
    """One character; `alone` says that no text stands before it for it to combine with."""
    if character in BLANKS:
        return Span(BLANKS[character], Kind.BLANK)
    number, category = ord(character), unicodedata.category(character)
    if 0xDC80 <= number <= 0xDCFF:  # how `surrogateescape` hands on a byte that is no UTF-8
        return Span(f"\\x{number - 0xDC00:02x}", Kind.ESCAPE)
    if (
        category in UNSEEN_CATEGORIES
        or character in LOOKALIKES
        or any(first <= number <= last for first, last in UNSEEN_RANGES)
    ):
        return Span(code_point(number), Kind.ESCAPE)
    if alone and category.startswith("M"):
        return Span(DOTTED_CIRCLE + character, Kind.TEXT)
    return Span(character, Kind.TEXT)


def code_point(number: int) -> str:
    """`\\xNN` is a byte, and so names a character only where the two are one."""
    if number < 0x80:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def printable(text: str) -> str:
    """A name or message with all that is unseen escaped; of any `str`, surrogates included.

    >>> printable("a b\\x1b[31m")
    'a b\\\\x1b[31m'
    """
    return "".join(
        character if character == " " or ord(character) == 0x3000 else shown_plainly(character)
        for character in text
    )


def shown_plainly(character: str) -> str:
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:
        return f"\\x{number - 0xDC00:02x}"
    if unicodedata.category(character) in UNSEEN_CATEGORIES - {"Co", "Cn"}:
        return code_point(number)
    return character


def byte_length(text: str | bytes) -> int:
    """Bytes of UTF-8; pairs of surrogates are joined and a lone one is U+FFFD, as tokenizers do.

    >>> byte_length("é"), byte_length("\\ud83c\\udf0d"), byte_length("\\ud83c")
    (2, 4, 3)
    """
    if isinstance(text, bytes):
        return len(text)
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return len(joined.encode())


def summary(text: str | bytes, tokens: int) -> str:
    """How many tokens a text takes, in words.

    >>> summary("naïve", 2), summary("", 0)
    ('2 tokens, 6 bytes, 3.00 bytes per token', '0 tokens, 0 bytes')
    """
    size = byte_length(text)
    parts = [
        f"{n:,} {noun if n == 1 else noun + 's'}" for n, noun in ((tokens, "token"), (size, "byte"))
    ]
    if tokens:
        parts.append(f"{size / tokens:.2f} bytes per token")
    return ", ".join(parts)
