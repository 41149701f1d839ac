"""Maximum matching: from one end of the text, always the longest word of the dictionary.

From the right it goes so, on ``研究生命`` with 研究, 研究生 and 生命. An automaton (Aho-Corasick)
reads the text once and gives the longest word that ends at each place: 研究 at 2, 研究生 at 3, 生命
at 4. Then, from the end of the text on, the word that ends here is taken, and the next place is
where it begins: 生命, then 研究. Where no word ends, the place moves by one character. From the
left it is the same on the text and the words reversed.

The automaton is asked for all words. Its own search for the leftmost longest goes back after each
word, so that with ``a`` and ``aaa…ab`` in the dictionary it reads a text of ``a`` as often as the
long word has letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bytepair.classic.word import missing_extra

__all__ = ["Cutter", "automaton", "backward", "bidirectional", "forward"]

Cutter = Callable[[str], list[str]]
#: Where a word begins and ends.
Span = tuple[int, int]

# Matches come in lists; so many characters at once keep them small.
WINDOW = 1 << 12


def automaton(words: Iterable[str]) -> Any:
    """An Aho-Corasick automaton of the words."""
    try:
        from ahocorasick_rs import AhoCorasick, Implementation
    except ModuleNotFoundError:
        raise missing_extra("dictionary words are found", "ahocorasick-rs") from None
    # Left to choose, it makes a table for a few words, in time that is quadratic in the longest.
    return AhoCorasick(words, store_patterns=False, implementation=Implementation.ContiguousNFA)


class Taker:
    """Takes words from the right."""

    def __init__(self, words: Iterable[str]) -> None:
        # A character alone is a token in any case, so that one that is a word is not looked for.
        long = [word for word in words if len(word) > 1]
        self.before = max(map(len, long), default=1) - 1
        self.found = automaton(long)

    def longest(self, text: str, cuts: bytearray | None) -> dict[int, int]:
        """Where the longest word begins that ends at a place, by the places in their order."""
        longest: dict[int, int] = {}
        step = max(WINDOW, self.before)
        seen = 0
        for start in range(0, len(text), step):
            first = max(0, start - self.before)
            window = text[first : start + step]
            # By their ends; of those that end together the longest first.
            for _, begin, end in self.found.find_matches_as_indexes(window, overlapping=True):
                if end + first > seen and (
                    cuts is None or (cuts[begin + first] and cuts[end + first])
                ):
                    seen = end + first
                    longest[seen] = begin + first
            seen = min(start + step, len(text))  # the next window finds what ends here once more
        return longest

    def take(self, text: str, cuts: bytearray | None = None) -> list[Span]:
        """The words taken, from the last to the first; with ``cuts``, which has an item for each
        place, only such as begin and end where it is not 0."""
        longest = self.longest(text, cuts)
        taken: list[Span] = []
        place = len(text)
        for end, begin in reversed(longest.items()):
            if end <= place:
                taken.append((begin, end))
                place = begin
        return taken


def forward(words: Iterable[str], cuts_of: Callable[[str], bytearray] | None = None) -> Cutter:
    """From the left; with ``cuts_of`` no word begins or ends where that gives 0.

    >>> forward(["研究", "研究生", "生命"])("研究生命")
    ['研究生', '命']
    """
    taker = Taker(word[::-1] for word in words)

    def cut(text: str) -> list[str]:
        cuts = cuts_of(text)[::-1] if cuts_of else None
        length = len(text)
        taken = taker.take(text[::-1], cuts)
        return between(text, ((length - end, length - begin) for begin, end in taken))

    return cut


def backward(words: Iterable[str]) -> Cutter:
    """From the right.

    >>> backward(["研究", "研究生", "生命"])("研究生命")
    ['研究', '生命']
    """
    taker = Taker(words)
    return lambda text: between(text, reversed(taker.take(text)))


def bidirectional(words: Iterable[str]) -> Cutter:
    """Of the two the one with fewer tokens, then with fewer single characters, then the one from
    the right. The text is decided as a whole: give it sentences, to have each decided alone."""
    words = list(words)
    left, right = forward(words), backward(words)

    def rank(tokens: list[str]) -> tuple[int, int]:
        return len(tokens), sum(len(token) == 1 for token in tokens)

    def cut(text: str) -> list[str]:
        return min(right(text), left(text), key=rank)  # the first of equals

    return cut


def between(text: str, words: Iterable[Span]) -> list[str]:
    """The words, and each character between them.

    >>> between("研究生命", [(0, 2)])
    ['研究', '生', '命']
    """
    tokens: list[str] = []
    place = 0
    for begin, end in words:
        tokens += text[place:begin]
        tokens.append(text[begin:end])
        place = end
    tokens += text[place:]
    return tokens
