"""Characters: a token for each code point.

What it adds to bytes: a token means something by itself, and a Chinese character is one token, not
three. What it costs: the table must have every character that will ever come, or those it lacks are
unknown and lost; and English is as long as before.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Self

from bytepair.arguments import Text, as_id
from bytepair.classic.base import Classic, Table, as_text, read_lines, shown, texts_of
from bytepair.errors import VocabError

__all__ = ["CharTokenizer", "CodePointTokenizer"]


class CharTokenizer(Table):
    """One token for each code point; those that were not in the texts are ``<UNK>``.

    >>> tok = CharTokenizer.build(["abacus"])
    >>> tok.encode("scab!")
    [5, 3, 1, 2, 0]
    >>> tok.decode(tok.encode("scab!"))
    'scab<UNK>'
    >>> tok.unknowns("scab!")
    ['!']
    """

    kind = "char"

    def __init__(self, characters: Iterable[str]) -> None:
        super().__init__(characters)
        if wrong := next((token for token in self._tokens[1:] if len(token) != 1), None):
            raise VocabError(f"`{wrong}` is no single character")

    @classmethod
    def build(cls, texts: Iterable[Text], *, size: int | None = None) -> Self:
        """The table of the characters of the texts, in the order in which they are first seen; with
        ``size`` the most frequent alone, the earlier first among equals."""
        counts: Counter[str] = Counter()
        for text in texts_of(texts):
            counts.update(text)
        if size is not None and size < 1:
            raise ValueError(f"size `{size}`: at least 1")
        return cls(char for char, _ in counts.most_common(size)) if size else cls(counts)

    def tokens(self, text: Text) -> list[str]:
        return list(as_text(text))

    @classmethod
    def from_argument(cls, argument: str) -> Classic:
        """``char:corpus.txt`` has the characters of that file, ``char`` all of Unicode."""
        if not argument:
            return CodePointTokenizer()
        return cls.build(read_lines(argument, cls.kind, "a corpus"))


class CodePointTokenizer(Classic):
    """Every character that there can be, numbered by Unicode: nothing is unknown, and an embedding
    would need 1,114,112 rows.

    >>> CodePointTokenizer().encode("世!")
    [19990, 33]
    """

    kind = "code-point"
    name = "char"

    def tokens(self, text: Text) -> list[str]:
        return list(as_text(text))

    def ids(self, text: Text) -> list[int]:
        return list(map(ord, as_text(text)))

    def token_bytes(self, id: int) -> bytes:
        number = as_id(id)
        if not 0 <= number <= sys.maxunicode or 0xD800 <= number <= 0xDFFF:
            raise VocabError(f"`{shown(number)}` is the number of no character")
        return chr(number).encode()

    def __len__(self) -> int:
        return sys.maxunicode + 1 - 0x800  # less the surrogates, which are no characters

    def state(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls()
