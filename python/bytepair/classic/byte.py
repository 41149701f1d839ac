"""Bytes: the smallest table that holds everything.

The first of the ladder, with nothing before it: a text is its UTF-8, and a token is one byte.
Nothing is ever unknown, nothing is ever lost, and the table has 256 entries. The price is length:
an English text has as many tokens as letters, a Chinese one three for each character.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from bytepair.arguments import Text, as_id
from bytepair.classic.base import Classic, as_bytes, shown
from bytepair.errors import VocabError

__all__ = ["ByteTokenizer", "spelled"]


def spelled(byte: int) -> str:
    """A byte as people read it: ASCII by its character, others as SentencePiece writes them.

    >>> [spelled(byte) for byte in "é!".encode()]
    ['<0xC3>', '<0xA9>', '!']
    """
    return chr(byte) if byte < 0x80 else f"<0x{byte:02X}>"


class ByteTokenizer(Classic):
    """One token for each byte of UTF-8; the id is the byte.

    >>> tok = ByteTokenizer()
    >>> tok.encode("世!")
    [228, 184, 150, 33]
    >>> tok.tokens("世!")
    ['<0xE4>', '<0xB8>', '<0x96>', '!']
    >>> tok.decode([228, 184, 150, 33])
    '世!'
    """

    kind = "byte"
    name = "byte"

    def tokens(self, text: Text) -> list[str]:
        return [spelled(byte) for byte in as_bytes(text)]

    def ids(self, text: Text) -> list[int]:
        return list(as_bytes(text))

    @property
    def vocab(self) -> dict[int, bytes]:
        return {byte: bytes([byte]) for byte in range(256)}

    def token_bytes(self, id: int) -> bytes:
        number = as_id(id)
        if not 0 <= number < 256:
            raise VocabError(f"no byte is `{shown(number)}`; they end at 255")
        return bytes([number])

    def __len__(self) -> int:
        return 256

    def state(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls()
