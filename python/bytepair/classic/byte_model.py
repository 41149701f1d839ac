"""How hard the next byte is to foresee: a model that counts what followed before.

Which bytes followed each run of up to ``order`` bytes in a text, and how often. Longer contexts say
more and are seen less, so each is mixed with the next shorter one by Witten and Bell's rule
(1991): of a context that was seen N times with T different followers,

    P(byte | context) = (count(byte) + T · P(byte | shorter)) / (N + T)

down to the empty context, which is mixed with 1/256. What the model foresees after a context
depends on nothing else, so that the entropy of the next byte is a table, a number for each context.

Such a number needs no sum over all 256 bytes. With w = T / (N + T), most bytes have w times what
they have after the shorter context, whose entropy H' is known; only the T followers have more:

    H = w · (H' - log w) + sum over the followers of (q · log q - p · log p)

where p is the probability of a follower, and q = w · P(follower | shorter) its part of that.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, Self

import numpy as np

__all__ = ["ByteModel"]

Keys = np.ndarray[Any, np.dtype[np.uint64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
#: Contexts are packed into 64 bits: seven bytes, and how many of them count.
LONGEST = 7
NEWLINE = 0x0A
#: Bytes of one level that a file may unpack to: 128 million contexts.
LARGEST = 1 << 30


@dataclass(frozen=True)
class Level:
    """What followed the contexts of one length. Both arrays of keys rise: a context packed, and a
    context with its follower."""

    contexts: Keys
    pairs: Keys
    counts: Floats
    #: Of each context: how often it was seen, with how many different followers, its first pair.
    seen: Floats
    kinds: Floats
    first: np.ndarray[Any, np.dtype[np.int64]]

    @classmethod
    def of_pairs(cls, pairs: Keys, counts: Floats) -> Level:
        contexts, first, kinds = np.unique(pairs >> 8, return_index=True, return_counts=True)
        seen = np.add.reduceat(counts, first) if len(first) else counts
        return cls(contexts, pairs, counts, seen, kinds.astype(np.float64), first)

    def rows(self, keys: Keys) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The place of each context, and whether it is there."""
        at = np.minimum(np.searchsorted(self.contexts, keys), max(len(self.contexts) - 1, 0))
        known = self.contexts[at] == keys if len(self.contexts) else np.zeros(len(keys), np.bool_)
        return at, known


class ByteModel:
    """Counts of what followed contexts of up to ``order`` bytes.

    >>> model = ByteModel.of(b"abababab", order=2)
    >>> before_a, before_b = model.entropies(b"ab")
    >>> bool(before_b < before_a < 5.6)
    True
    """

    def __init__(self, levels: list[Level], *, reset_at_newlines: bool = False) -> None:
        self.levels = levels
        self.order = len(levels) - 1
        self.reset_at_newlines = reset_at_newlines
        self._entropies = entropies_after(levels)

    @classmethod
    def of(cls, data: bytes, order: int, *, reset_at_newlines: bool = False) -> Self:
        """The model of a text; with ``reset_at_newlines`` no context goes over a newline."""
        if not 0 <= index(order) <= LONGEST:
            raise ValueError(f"order `{order}`: a whole number from 0 to {LONGEST}")
        array = np.frombuffer(data, dtype=np.uint8)
        reach = reaches(array, order, reset_at_newlines)
        levels = []
        for length in range(order + 1):
            keys = packed(array, length)
            pairs = ((keys << np.uint64(8)) | array)[reach >= length]
            found, counts = np.unique(pairs, return_counts=True)
            levels.append(Level.of_pairs(found, counts.astype(np.float64)))
        return cls(levels, reset_at_newlines=reset_at_newlines)

    @property
    def contexts(self) -> int:
        """How many different contexts were seen, the empty one left out."""
        return sum(len(level.contexts) for level in self.levels[1:])

    def entropies(self, data: bytes) -> Floats:
        """For each byte the entropy of what the model foresaw in its place, in nats, from the bytes
        before it; array of shape ``(len(data),)``."""
        array = np.frombuffer(data, dtype=np.uint8)
        reach = reaches(array, self.order, self.reset_at_newlines)
        keys = packed(array, self.order) & masks(reach)
        # Texts repeat themselves: each different context is looked up once.
        different, place = np.unique(keys | (reach << np.uint64(56)), return_inverse=True)
        reach, keys = different >> np.uint64(56), different & np.uint64((1 << 56) - 1)
        found = np.full(len(different), np.log(256.0))
        for length, (level, entropies) in enumerate(zip(self.levels, self._entropies, strict=True)):
            at, known = level.rows(keys & masks(np.full(len(keys), length, np.uint64)))
            known = known & (reach >= length)
            found[known] = entropies[at[known]]
        return found[place]

    def bits_per_byte(self, data: bytes) -> float:
        """The mean of −log2 of the probability that the model gave to each byte; 0 for no bytes."""
        array = np.frombuffer(data, dtype=np.uint8)
        if not len(array):
            return 0.0
        reach = reaches(array, self.order, self.reset_at_newlines)
        probability = np.full(len(array), 1 / 256)
        for length, level in enumerate(self.levels):
            if not len(level.contexts):  # the text of the model was shorter
                continue
            keys = packed(array, length)
            at, known = level.rows(keys)
            known = known & (reach >= length)
            pairs = (keys << np.uint64(8)) | array
            pair = np.minimum(np.searchsorted(level.pairs, pairs), max(len(level.pairs) - 1, 0))
            counts = np.where(level.pairs[pair] == pairs, level.counts[pair], 0.0)
            mixed = (counts + level.kinds[at] * probability) / (level.seen[at] + level.kinds[at])
            probability = np.where(known, mixed, probability)
        return float(-np.log2(probability).mean())

    def state(self) -> dict[str, Any]:
        """As JSON can hold it: of each level the pairs, as differences, and the counts."""
        return {
            "reset_at_newlines": self.reset_at_newlines,
            "levels": [
                [
                    shrunk(np.diff(level.pairs, prepend=np.uint64(0))),
                    shrunk(level.counts.astype(np.uint64)),
                ]
                for level in self.levels
            ],
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        levels = []
        for pairs, counts in state["levels"]:
            differences, numbers = grown(pairs), grown(counts)
            if len(differences) != len(numbers) or not numbers.all():
                raise ValueError("the counts of a level do not fit its contexts")
            keys = np.cumsum(differences, dtype=np.uint64)
            if (keys[1:] <= keys[:-1]).any():
                raise ValueError("the contexts of a level do not rise")
            levels.append(Level.of_pairs(keys, numbers.astype(np.float64)))
        if not levels or len(levels) > LONGEST + 1:
            raise ValueError(f"`levels` has {len(levels)} entries: 1 to {LONGEST + 1}")
        return cls(levels, reset_at_newlines=bool(state["reset_at_newlines"]))


def entropies_after(levels: list[Level]) -> list[Floats]:
    """The entropy after each context of each length, in nats."""
    found: list[Floats] = []
    probabilities = np.zeros(0)  # of each pair of the level before
    for length, level in enumerate(levels):
        total = level.seen + level.kinds
        share = level.kinds / total
        row = np.repeat(np.arange(len(level.contexts)), level.kinds.astype(np.int64))
        if length == 0:
            shorter, before = np.full(len(level.pairs), 1 / 256), np.full(len(total), np.log(256))
        else:
            last = levels[length - 1]
            shorter = probabilities[places(last.pairs, level.pairs, length)]
            before = found[-1][places(last.contexts, level.contexts, length - 1)]
        probabilities = (level.counts + level.kinds[row] * shorter) / total[row]
        part = share[row] * shorter
        more = part * np.log(part) - probabilities * np.log(probabilities)
        added = np.add.reduceat(more, level.first) if len(more) else more
        found.append(share * (before - np.log(share)) + added)
    return found


def places(known: Keys, keys: Keys, length: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Where each key stands among the known ones, cut to its last ``length`` bytes. What followed a
    context followed the shorter one too, so that each is there unless a file is damaged."""
    wanted = keys & masks(np.full(len(keys), length, np.uint64))
    at = np.searchsorted(known, wanted)
    if len(at) and (at.max() >= len(known) or (known[at] != wanted).any()):
        raise ValueError("what followed a context did not follow the shorter one")
    return at


# ------------------------------------------------------------------ contexts in 64 bits


def packed(array: Bytes, length: int) -> Keys:
    """For each place the bytes before it, the nearest last; zeros where the text begins."""
    keys = np.zeros(len(array), dtype=np.uint64)
    for back in range(1, min(length, len(array)) + 1):
        keys[back:] |= array[:-back].astype(np.uint64) << np.uint64(8 * (back - 1))
    return keys


def masks(lengths: np.ndarray[Any, Any]) -> Keys:
    """Ones for that many bytes."""
    ones: Keys = (np.uint64(1) << (lengths.astype(np.uint64) * np.uint64(8))) - np.uint64(1)
    return ones


def reaches(array: Bytes, order: int, reset_at_newlines: bool) -> Keys:
    """How far back a context may reach at each place: to the beginning of the text, or to the last
    newline, which is itself still seen."""
    places = np.arange(len(array))
    begin = np.zeros(len(array), dtype=np.int64)
    if reset_at_newlines and len(array):
        newlines = np.where(array == NEWLINE, places, 0)
        begin[1:] = np.maximum.accumulate(newlines)[:-1]
    reach: Keys = np.minimum(places - begin, order).astype(np.uint64)
    return reach


def shrunk(numbers: Keys) -> str:
    return base64.b85encode(zlib.compress(numbers.astype("<u8").tobytes(), 6)).decode("ascii")


def grown(text: object) -> Keys:
    if not isinstance(text, str):
        raise ValueError("a level is no text")
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(base64.b85decode(text), LARGEST)
    except zlib.error as error:
        raise ValueError(f"a level is damaged: {error}") from None
    if not unpacking.eof and not unpacking.unconsumed_tail:
        raise ValueError("a level ends before it should")
    if unpacking.unconsumed_tail:
        raise ValueError(f"a level has more than {LARGEST:,} bytes when unpacked")
    numbers: Keys = np.frombuffer(data, dtype="<u8").astype(np.uint64)
    return numbers
