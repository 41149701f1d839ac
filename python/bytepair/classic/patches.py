"""Patches: groups of bytes, and no table at all.

What it adds to everything before: nothing has to be fixed before a model is trained. The model
reads bytes; only how many of them it takes at a time is decided here, by a rule that needs no
vocabulary. Nothing is unknown and nothing is lost. What it costs: the rule knows nothing of
meaning, and a model needs a small network inside the large one to read the bytes of a patch.

The rules are those of the Byte Latent Transformer (Pagnoni and others, 2024, arXiv:2412.09871):
every k bytes and after what looks like a blank are here, where the next byte is hard to foresee is
in ``entropy``.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any, Self

import numpy as np

from bytepair.arguments import Text, as_id
from bytepair.classic.base import Classic, as_bytes, shown
from bytepair.errors import UnknownNameError, VocabError

__all__ = ["Patcher", "SpacePatcher", "StridePatcher"]


class Patcher(Classic):
    """Cuts bytes into patches.

    A patch is in no table, so it has no id of its own. To be used where ids are asked for, its
    number is its bytes read in base 256 with a leading 1: without bound, and the bytes can be had
    back from it. ``len()`` is 256, the rows that a model of bytes needs.
    """

    numbered = False

    @abstractmethod
    def starts(self, data: Text) -> list[int]:
        """Where patches begin, in bytes; 0 is always the first of a text that is not empty."""

    def tokens(self, text: Text) -> list[bytes]:
        """The patches, as bytes: they need not be whole characters."""
        data = as_bytes(text)
        return [data[begin:end] for begin, end in pairwise([*self.starts(data), len(data)])]

    def ids(self, text: Text) -> list[int]:
        return [int.from_bytes(b"\x01" + patch, "big") for patch in self.tokens(text)]

    def count(self, text: Text, *, allowed_special: Collection[str] = ()) -> int:
        self.check_special(allowed_special)
        return len(self.starts(as_bytes(text)))

    def token_bytes(self, id: int) -> bytes:
        number = as_id(id)
        data = number.to_bytes((number.bit_length() + 7) // 8, "big") if number > 0 else b""
        if data[:1] != b"\x01":
            raise VocabError(f"`{shown(number)}` is the number of no patch")
        return data[1:]

    def __len__(self) -> int:
        return 256


class StridePatcher(Patcher):
    """A patch every ``size`` bytes.

    >>> StridePatcher(4).tokens("Daenerys")
    [b'Daen', b'erys']
    """

    kind = "stride"

    def __init__(self, size: int) -> None:
        self.size = as_id(size)
        if self.size < 1:
            raise ValueError(f"size `{size}`: at least 1 byte")

    def starts(self, data: Text) -> list[int]:
        return list(range(0, len(as_bytes(data)), self.size))

    def state(self) -> dict[str, Any]:
        return {"size": self.size}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls(state["size"])

    @classmethod
    def from_argument(cls, argument: str) -> StridePatcher:
        """``stride:4``: that many bytes."""
        if not re.fullmatch(r"[1-9][0-9]{0,17}", argument):
            raise UnknownNameError(
                f"`stride` needs a number of bytes, not `{argument[:40]}`", hint="as in `stride:4`"
            )
        return cls(int(argument))


def space_like() -> np.ndarray[Any, np.dtype[np.bool_]]:
    """For each byte whether it looks like a blank to the rule: it is no ASCII letter or digit, and
    does not go on with a character. First bytes of longer characters look like blanks too."""
    table = np.ones(256, dtype=np.bool_)
    for byte in (*range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x61, 0x7B), *range(0x80, 0xC0)):
        table[byte] = False
    return table


SPACE_LIKE = space_like()


class SpacePatcher(Patcher):
    """A patch ends at a byte that looks like a blank and follows one that does not, so that each
    has something else than blanks in it.

    Outside of ASCII the rule cuts inside characters: the first byte of a Chinese character looks
    like a blank, and ends the patch of the character before it.

    >>> SpacePatcher().tokens("epic by R.R. Martin.")
    [b'epic ', b'by ', b'R.', b'R.', b' Martin.']
    """

    kind = "space"
    name = "space"

    def starts(self, data: Text) -> list[int]:
        found = SPACE_LIKE[np.frombuffer(as_bytes(data), dtype=np.uint8)]
        if not len(found):
            return []
        ends = np.flatnonzero(found[1:] & ~found[:-1]) + 2
        return [0, *ends[ends < len(found)].tolist()]

    def state(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls()
