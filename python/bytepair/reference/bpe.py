"""Byte-pair encoding itself: count neighbours, join the commonest pair, again and again.

The first rung: one text, no pattern, no special tokens. `get_stats` and `merge` work on symbols of
any kind, so BPE over characters, or over words with an end mark, goes through the same two loops.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

Symbol = TypeVar("Symbol", bound=Hashable)
Pair = tuple[int, int]

BYTES = {number: bytes([number]) for number in range(256)}
TIES = ("bytes", "ids", "first", "huggingface")

# The bytes that GPT-2's table shows as themselves; Hugging Face numbers these first, then the rest.
PRINTABLE = frozenset([*range(33, 127), *range(161, 173), *range(174, 256)])


def get_stats(
    symbols: Sequence[Symbol], counts: dict[tuple[Symbol, Symbol], int] | None = None
) -> dict[tuple[Symbol, Symbol], int]:
    """How often each pair of neighbours occurs, in order of first occurrence; adds to `counts`.

    >>> get_stats("aaab")
    {('a', 'a'): 2, ('a', 'b'): 1}
    """
    counts = {} if counts is None else counts
    for pair in pairwise(symbols):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def merge(symbols: Sequence[Symbol], pair: tuple[Symbol, Symbol], new: Symbol) -> list[Symbol]:
    """The symbols with each occurrence of `pair`, from left to right, replaced by `new`.

    >>> merge("aaab", ("a", "a"), "A")
    ['A', 'a', 'b']
    """
    merged: list[Symbol] = []
    at = 0
    while at < len(symbols):
        if at + 1 < len(symbols) and (symbols[at], symbols[at + 1]) == pair:
            merged.append(new)
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return merged


def choose(tied: Iterable[Pair], vocab: Mapping[int, bytes], ties: str) -> Pair:
    """The pair that the tie rule prefers; for `"first"` the pairs must come in text order."""
    if ties == "bytes":
        return max(tied, key=lambda pair: (vocab[pair[0]], vocab[pair[1]]))
    if ties == "ids":
        return max(tied)
    if ties == "huggingface":
        return min(tied, key=lambda pair: (huggingface_order(pair[0]), huggingface_order(pair[1])))
    if ties == "first":
        return next(iter(tied))
    raise ValueError(f"unknown tie rule `{ties}`; choose one of {', '.join(TIES)}")


def huggingface_order(number: int) -> tuple[bool, bool, int]:
    """Sorts ids as Hugging Face numbers them: bytes by the character that stands for each."""
    return (number >= 256, number < 256 and number not in PRINTABLE, number)


def to_bytes(text: str | bytes) -> bytes:
    """Bytes as they are; text as UTF-8, surrogate pairs joined and lone surrogates as U+FFFD."""
    if isinstance(text, bytes):
        return text
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        units = text.encode("utf-16", "surrogatepass")
        return units.decode("utf-16", "replace").encode("utf-8")


class BasicTokenizer:
    """BPE over the bytes of one text."""

    def __init__(self) -> None:
        self.merges: dict[Pair, int] = {}
        self.vocab: dict[int, bytes] = dict(BYTES)

    def train(
        self, text: str | bytes, vocab_size: int, verbose: bool = False, ties: str = "bytes"
    ) -> None:
        """Learns merges until there are `vocab_size` tokens, or no pair is left.

        >>> tokenizer = BasicTokenizer()
        >>> tokenizer.train("the cat in the hat sat on the mat", 258, ties="ids")
        >>> tokenizer.merges
        {(97, 116): 256, (256, 32): 257}
        """
        if vocab_size < 256:
            raise ValueError(f"`vocab_size` is `{vocab_size}`; the 256 bytes alone need 256")
        self.merges, self.vocab = {}, dict(BYTES)
        ids = list(to_bytes(text))
        for new in range(256, vocab_size):
            counts = get_stats(ids)
            if not counts:
                break
            best = max(counts.values())
            pair = choose((p for p in counts if counts[p] == best), self.vocab, ties)
            ids = merge(ids, pair, new)
            self.merges[pair] = new
            self.vocab[new] = self.vocab[pair[0]] + self.vocab[pair[1]]
            if verbose:
                print(f"{new}: {self.show(pair)}, {best} times, {len(ids)} ids left")

    def encode(self, text: str | bytes, verbose: bool = False) -> list[int]:
        """Applies the merges in the order in which they were learned."""
        ids = list(to_bytes(text))
        while len(ids) > 1:
            pair = min(get_stats(ids), key=lambda pair: self.merges.get(pair, len(self.vocab)))
            if pair not in self.merges:
                break
            ids = merge(ids, pair, self.merges[pair])
            if verbose:
                print(f"{self.show(pair)} becomes {self.merges[pair]}: {ids}")
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """Joins the bytes first: a character may be spread over several tokens."""
        return decode_bytes(ids, self.vocab).decode("utf-8", errors="replace")

    def show(self, pair: Pair) -> str:
        left, right = (self.vocab[number].decode("utf-8", "backslashreplace") for number in pair)
        return f"{left!r} + {right!r}"


def decode_bytes(ids: Iterable[int], vocab: Mapping[int, bytes]) -> bytes:
    """The bytes of the tokens, joined; ValueError for an id that nothing holds."""
    parts = []
    for position, number in enumerate(ids):
        if number not in vocab:
            raise ValueError(f"no token has the id `{number}` (at position {position})")
        parts.append(vocab[number])
    return b"".join(parts)
