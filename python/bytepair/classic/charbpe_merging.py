"""Merging inside one word: of all pairs that are merges, the one learned first, wherever it is.

``by_scan`` is the rule, as subword-nmt has it: look at all pairs, merge every occurrence of the
best one from left to right, look again. All occurrences come before any pair that they make, since
a file of codes may rank the new pair before the old one. ``in_place`` does the same in a list of
ranks that changes with the symbols, which is the fastest for short words; both are quadratic in the
length of the word. ``by_heap`` is not: pairs wait in a heap, the best on top, and a merge puts in
the two that it made. All three give the same.

With ``dropout`` a pair that could be merged is overlooked with that probability, each time anew,
and a word is done when every pair was overlooked. ``by_scan`` throws for every pair of neighbours,
merge or not, so that a seed gives what subword-nmt gives; ``by_heap`` throws only for those that
it takes from the heap before one is merged, which gives the same distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

__all__ = ["Ranks", "by_heap", "by_scan", "in_place", "merge_symbols"]

Ranks = Mapping[tuple[str, str], int]
Draw = Callable[[], float]

#: Words of more symbols go through the heap; below, looking again is the faster way.
LONG = 100


def merge_symbols(
    symbols: Sequence[str], ranks: Ranks, dropout: float = 0.0, draw: Draw | None = None
) -> list[str]:
    """The symbols of one word with all merges made; ``draw`` gives numbers from 0 to 1.

    >>> merge_symbols("lower", {("l", "o"): 0, ("e", "r"): 1, ("lo", "w"): 2})
    ['low', 'er']
    """
    if len(symbols) > LONG:
        return by_heap(symbols, ranks, dropout, draw)
    if draw is None:
        return in_place(symbols, ranks)
    return by_scan(symbols, ranks, dropout, draw)


def by_scan(
    symbols: Sequence[str], ranks: Ranks, dropout: float = 0.0, draw: Draw | None = None
) -> list[str]:
    merged = list(symbols)
    while len(merged) > 1:
        seen = enumerate(pairwise(merged))
        found = [
            (ranks[pair], at)
            for at, pair in seen
            if (draw is None or draw() > dropout) and pair in ranks
        ]
        if not found:
            break
        best = min(found)[0]
        merged = merged_at(merged, [at for rank, at in found if rank == best])
    return merged


def merged_at(symbols: list[str], places: list[int]) -> list[str]:
    """Each symbol at these places joined with the next; of two that overlap, the left one."""
    merged: list[str] = []
    done = 0
    for at in places:
        if at >= done:
            merged += symbols[done:at]
            merged.append(symbols[at] + symbols[at + 1])
            done = at + 2
    return merged + symbols[done:]


def in_place(symbols: Sequence[str], ranks: Ranks) -> list[str]:
    merged = list(symbols)
    none = len(ranks)
    found = [ranks.get(pair, none) for pair in pairwise(merged)]
    while found and (best := min(found)) != none:
        at = -1
        for _ in range(found.count(best)):
            try:
                at = found.index(best, at + 1)
            except ValueError:
                break  # it overlapped the one before
            merged[at : at + 2] = [merged[at] + merged[at + 1]]
            del found[at]
            if at:
                found[at - 1] = ranks.get((merged[at - 1], merged[at]), none)
            if at < len(found):
                found[at] = ranks.get((merged[at], merged[at + 1]), none)
    return merged


def by_heap(
    symbols: Sequence[str], ranks: Ranks, dropout: float = 0.0, draw: Draw | None = None
) -> list[str]:
    chain = Chain(symbols, ranks)
    heap = [(rank, at) for at in range(len(symbols)) if (rank := chain.rank(at)) is not None]
    heapify(heap)
    while heap:
        overlooked: list[tuple[int, int]] = []
        chosen: list[int] = []
        while heap and not chosen:
            best = heap[0][0]
            while heap and heap[0][0] == best:  # all places of one pair, from left to right
                entry = heappop(heap)
                if chain.rank(entry[1]) != best:
                    continue  # a neighbour has changed since
                if draw is None or draw() > dropout:
                    chosen.append(entry[1])
                else:
                    overlooked.append(entry)
        made = []
        for at in chosen:
            if chain.rank(at) == best:  # the occurrence before may have taken its left part
                chain.join(at)
                made.append(at)
        if not made:
            break
        for entry in overlooked:
            heappush(heap, entry)
        for at in {at for place in made for at in (chain.before[place], place)}:
            if (rank := chain.rank(at)) is not None:
                heappush(heap, (rank, at))
    return [part for part in chain.parts if part is not None]


class Chain:
    """The symbols of a word as a linked list: ``after`` and ``before`` are the places of the
    neighbours. What was swallowed by the symbol before it is ``None``, and so is the end."""

    def __init__(self, symbols: Sequence[str], ranks: Ranks) -> None:
        self.ranks = ranks
        self.parts: list[str | None] = [*symbols, None]
        self.after = list(range(1, len(self.parts) + 1))
        self.before = list(range(-1, len(self.parts) - 1))

    def rank(self, at: int) -> int | None:
        """The rank of the pair that begins at this place; ``None`` if there is none to merge."""
        if at < 0 or (left := self.parts[at]) is None:
            return None
        right = self.parts[self.after[at]]
        return None if right is None else self.ranks.get((left, right))

    def join(self, at: int) -> None:
        """Puts the symbol after this one into it."""
        gone = self.after[at]
        self.parts[at] = f"{self.parts[at]}{self.parts[gone]}"
        self.parts[gone] = None
        self.after[at] = self.after[gone]
        self.before[self.after[at]] = at
