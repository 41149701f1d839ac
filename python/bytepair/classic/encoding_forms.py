"""One text in the three encodings of Unicode: what each costs, and why UTF-8 is used.

UTF-8 writes a code point in one to four bytes, UTF-16 in one or two units of two bytes, UTF-32 in
one unit of four. ASCII is smallest in UTF-8, and the same as before; Chinese and Hindi take
three bytes a character there and two in UTF-16. UTF-8 is used all the same: files and the web are
written in it, it has no byte order to agree on, ASCII stays ASCII, and from any byte on one can
find the next character.
"""

from __future__ import annotations

from dataclasses import dataclass

from bytepair.arguments import Text
from bytepair.classic.base import as_text

__all__ = ["UnicodeForms", "unicode_forms"]


@dataclass(frozen=True)
class UnicodeForms:
    """The sizes of a text. Bytes are without a byte-order mark, which adds 3, 2 and 4 of them."""

    characters: int
    code_points: tuple[int, ...]
    utf8_bytes: int
    utf16_bytes: int
    utf32_bytes: int

    @property
    def utf16_units(self) -> int:
        """Units of two bytes: what JavaScript and Java call the length of a string."""
        return self.utf16_bytes // 2

    @property
    def utf16_bytes_with_mark(self) -> int:
        return self.utf16_bytes + 2

    @property
    def utf32_bytes_with_mark(self) -> int:
        return self.utf32_bytes + 4

    @property
    def smallest(self) -> str:
        """``"UTF-8"``, ``"UTF-16"`` or ``"UTF-32"``, the first of these among equals."""
        sizes = {"UTF-8": self.utf8_bytes, "UTF-16": self.utf16_bytes, "UTF-32": self.utf32_bytes}
        return min(sizes, key=sizes.__getitem__)


def unicode_forms(text: Text) -> UnicodeForms:
    """The account of a text.

    >>> forms = unicode_forms("今天西安的天气怎么样？")
    >>> forms.characters, forms.utf8_bytes, forms.utf16_bytes, forms.smallest
    (11, 33, 22, 'UTF-16')
    >>> unicode_forms("🌍").utf16_units
    2
    """
    characters = as_text(text)
    return UnicodeForms(
        characters=len(characters),
        code_points=tuple(map(ord, characters)),
        utf8_bytes=len(characters.encode("utf-8")),
        utf16_bytes=len(characters.encode("utf-16-le")),
        utf32_bytes=4 * len(characters),
    )
