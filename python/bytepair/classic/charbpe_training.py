"""Learning merges of characters: the pair that occurs most often becomes a symbol, again and again.

Counting all pairs anew before each merge would do the same work again and again. Here every symbol
of every different word has a cell, in one long row; a pair knows the cells where it stands
(``places``) and how often that is (``counts``, each word times its count). A merge goes to the
cells of its pair alone, joins there, and what it changes are the pairs left and right of each:

    … a [l o] w …    (a,l) and (o,w) lose the count of the word,
    … a [lo]  w …    (a,lo) and (lo,w) get it.

Pairs wait under the count that they had when they came; only those under the highest are put in the
order of the tie rule, in a heap. A count that went down since shows when its pair comes up, which
then goes to wait further down. Symbols are the same when they are spelled the same, however they
were made.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

__all__ = ["Learned", "learn"]

#: In a cell that holds no symbol: between words, and where a merge took the right part.
EMPTY = -1

#: A pair of symbols as one number, which is smaller and looked up faster than a tuple of two: the
#: left one times 2^32, plus the right one. It sorts as the tuple does.
Pair = int
RIGHT = 32
#: Arrays of numbers are small, and nothing that Python's search for garbage must walk through.
Places: TypeAlias = "array[int]"
new_places = partial(array, "q")


class Learned(NamedTuple):
    """The merges in order, and how often each pair occurred when it was merged."""

    merges: list[tuple[str, str]]
    counts: list[int]


def learn(
    words: Mapping[str, int],
    split: Callable[[str], Sequence[str]],
    symbols: Sequence[str],
    merges: int,
    ties: str,
    min_count: int,
) -> Learned:
    """At most this many merges; fewer where no pair is left that occurs ``min_count`` times.

    ``split`` gives the first symbols of a word, and ``symbols`` are all of these, as numbered.
    """
    row = Row(words, split, symbols, ties)
    learned = Learned([], [])
    while len(learned.merges) < merges and (pair := row.best(min_count)) is not None:
        learned.merges.append(row.spelled(pair))
        learned.counts.append(row.counts[pair])
        row.merge(pair)
    return learned


class Row:
    """The words as cells, and the pairs that stand in them."""

    def __init__(
        self,
        words: Mapping[str, int],
        split: Callable[[str], Sequence[str]],
        symbols: Sequence[str],
        ties: str,
    ) -> None:
        self.names = list(symbols)
        self.numbers = {name: number for number, name in enumerate(symbols)}
        self.cells = array("q", [EMPTY])
        self.weights = array("q", [0])
        for word, count in words.items():
            self.cells.extend(self.numbers[symbol] for symbol in split(word))
            self.cells.append(EMPTY)
            self.weights.extend([count] * (len(self.cells) - len(self.weights)))
        self.after = array("q", range(1, len(self.cells) + 1))
        self.before = array("q", range(-1, len(self.cells) - 1))
        self.places: dict[Pair, Places] = defaultdict(new_places)
        for at, (left, right) in enumerate(pairwise(self.cells)):
            if left != EMPTY != right:
                self.places[left << RIGHT | right].append(at)
        self.counts = {pair: self.weight(places) for pair, places in self.places.items()}
        self.passed: dict[Pair, int] = {}  # how many of a pair's places were found stale
        self.waiting = Waiting(self.counts, self.order_of(ties))

    def weight(self, places: Places) -> int:
        return sum(map(self.weights.__getitem__, places))

    # Which pair ----------------------------------------------------------------------------------

    def order_of(self, ties: str) -> Callable[[Pair], Any]:
        """What sorts pairs of equal count, the one to be merged first."""
        if ties == "huggingface":
            return lambda pair: pair
        if ties == "ids":
            return lambda pair: -pair
        if ties == "first":
            return self.first_place
        return lambda pair: tuple(map(downwards, self.spelled(pair)))

    def first_place(self, pair: Pair) -> int:
        """The first cell where the pair stands now. Cells only lose pairs, so that the search goes
        on where it ended before."""
        places = self.places[pair]
        at = self.passed.get(pair, 0)
        left, right = parts(pair)
        while self.cells[places[at]] != left or self.cells[self.after[places[at]]] != right:
            at += 1
        self.passed[pair] = at
        return places[at]

    def spelled(self, pair: Pair) -> tuple[str, str]:
        left, right = parts(pair)
        return self.names[left], self.names[right]

    def best(self, min_count: int) -> Pair | None:
        """The pair to be merged, if there is one that occurs so often."""
        pair = self.waiting.best()
        return pair if pair is not None and self.counts[pair] >= min_count else None

    # Merging -------------------------------------------------------------------------------------

    def merge(self, pair: Pair) -> None:
        """Joins the pair wherever it stands, from left to right."""
        new = self.number_of("".join(self.spelled(pair)))
        places = self.forget(pair)
        lefts: dict[int, Places] = defaultdict(new_places)  # symbol before → cells of that
        rights: dict[int, Places] = defaultdict(new_places)  # symbol behind → cells of the new one
        cells, after, before = self.cells, self.after, self.before
        first, second = parts(pair)
        for at in places:
            if cells[at] != first:
                continue
            gone = after[at]
            if cells[gone] != second:
                continue
            left, right = before[at], after[gone]
            if cells[left] != EMPTY:
                lefts[cells[left]].append(left)
            if cells[right] != EMPTY:
                rights[cells[right]].append(at)
            cells[at], cells[gone] = new, EMPTY
            after[at], before[right] = right, at
        self.account(pair, new, lefts, rights)

    def number_of(self, name: str) -> int:
        number = self.numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number

    def account(
        self, merged: Pair, new: int, lefts: dict[int, Places], rights: dict[int, Places]
    ) -> None:
        """Moves the counts from the pairs around the merged one to those around the new symbol."""
        first, second = parts(merged)
        lost: list[tuple[Pair, int]] = []
        gained: set[Pair] = set()
        for symbol, places in rights.items():
            gained.add(pair := new << RIGHT | symbol)
            lost.append((second << RIGHT | symbol, self.gain(pair, places)))
        for symbol, places in lefts.items():
            gained.add(pair := symbol << RIGHT | new)
            lost.append((symbol << RIGHT | first, self.gain(pair, places)))
        for pair, count in lost:
            self.lose(pair, count)
        for pair in gained & self.counts.keys():
            self.waiting.add(pair)

    def gain(self, pair: Pair, places: Places) -> int:
        """How much the pair gains, now that it stands at these places too."""
        count = self.weight(places)
        if pair not in self.counts:
            self.counts[pair], self.places[pair] = count, places
        else:  # its parts are spelled as others were before
            self.counts[pair] += count
            self.places[pair] = array("q", sorted([*self.places[pair], *places]))
            self.passed.pop(pair, None)
        return count

    def lose(self, pair: Pair, count: int) -> None:
        if pair in self.counts:  # the merged pair itself, as in `aaa`, is gone already
            self.counts[pair] -= count
            if not self.counts[pair]:
                self.forget(pair)

    def forget(self, pair: Pair) -> Places:
        del self.counts[pair]
        self.passed.pop(pair, None)
        return self.places.pop(pair)


def parts(pair: Pair) -> tuple[int, int]:
    return pair >> RIGHT, pair & (1 << RIGHT) - 1


class Waiting:
    """Pairs by count, and those of the highest count by the tie rule."""

    def __init__(self, counts: Mapping[Pair, int], order: Callable[[Pair], Any]) -> None:
        self.counts = counts  # as they are now: the row changes them
        self.order = order
        self.pairs: dict[int, list[Pair]] = defaultdict(list)
        self.levels: list[int] = []  # a heap of the counts under which pairs wait, negative
        self.highest = 0
        self.front: list[tuple[Any, Pair]] = []  # a heap of the pairs of the highest count
        for pair in counts:
            self.add(pair)

    def add(self, pair: Pair) -> None:
        count = self.counts[pair]
        if count == self.highest:
            heappush(self.front, (self.order(pair), pair))
            return
        if count not in self.pairs:
            heappush(self.levels, -count)
        self.pairs[count].append(pair)

    def best(self) -> Pair | None:
        """The first of the pairs of the highest count, if any pair is left."""
        while self.front or self.levels:
            if not self.front or (self.levels and -self.levels[0] > self.highest):
                self.climb()
                continue
            order, pair = self.front[0]
            count = self.counts.get(pair)
            if count == self.highest and self.order(pair) == order:
                return pair
            heappop(self.front)
            if count is not None:
                self.add(pair)
        return None

    def climb(self) -> None:
        """Goes to the highest count under which pairs wait, and puts them in order."""
        left = [pair for _, pair in self.front]
        self.front, self.highest = [], -heappop(self.levels)
        here = self.pairs.pop(self.highest)
        self.front = [
            (self.order(pair), pair) for pair in here if self.counts.get(pair) == self.highest
        ]
        heapify(self.front)
        for pair in [*here, *left]:
            if self.counts.get(pair, self.highest) != self.highest:
                self.add(pair)


def downwards(name: str) -> tuple[int, ...]:
    """Sorts strings from the greatest to the least.

    >>> sorted(["a", "ab", "b"], key=downwards)
    ['b', 'ab', 'a']
    """
    return (*(-ord(character) for character in name), 1)
