"""Dictionaries: words where no blanks are written.

What it adds to words: the table itself says where the words of a text are. Maximum matching takes
the longest word that fits; the path of highest probability weighs all ways to cut, as jieba does.
What it costs: somebody has to write the dictionary, and a new word falls apart into characters,
which are unknown if they are no words themselves.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from math import log
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from bytepair.arguments import Text
from bytepair.classic.base import UNKNOWN, Table, as_text, read_lines
from bytepair.classic.word import missing_extra
from bytepair.errors import BytepairError, FormatError

__all__ = ["DictionaryTokenizer", "Method", "Words", "counted", "read_words"]

Method = Literal["forward", "backward", "bidirectional", "frequency"]
Words = Iterable[str] | Mapping[str, int]
METHODS = ("forward", "backward", "bidirectional", "frequency")
#: The name of jieba's own dictionary, in the place of a file.
JIEBA = "jieba"


def counted(words: Words) -> dict[str, int]:
    """The words with their counts, 1 for those of a list; the first count holds for a word given
    twice. Raises ``ValueError`` for an empty word or a count that is no number from 0 on."""
    pairs = words.items() if isinstance(words, Mapping) else ((word, 1) for word in words)
    found: dict[str, int] = {}
    for given, count in pairs:
        word = as_text(given)
        if not word:
            raise ValueError("a word is empty, and would be found everywhere")
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ValueError(f"the count of `{word}` is `{count}`: a whole number from 0 on")
        found.setdefault(word, count)
    found.pop(UNKNOWN, None)
    return found


def read_words(argument: str, kind: str) -> dict[str, int]:
    """The words of a file, one a line, each with a count after it or not (``word count tag``, as in
    jieba's dictionaries); ``jieba`` is the dictionary of that package (the extra ``zh``)."""
    path = jieba_dictionary() if argument == JIEBA else argument
    found: dict[str, int] = {}
    for number, line in enumerate(read_lines(os.fspath(path), kind, "a list of words"), 1):
        parts = line.split()
        if not parts:
            continue
        if len(parts) > 1 and not (parts[1].isascii() and parts[1].isdigit()):
            raise FormatError(
                f"`{path}`, line {number}: `{parts[1]}` is no count",
                hint="a line is a word, or a word and how often it occurs",
            )
        found.setdefault(parts[0], int(parts[1]) if len(parts) > 1 else 1)
    return found


def jieba_dictionary() -> Path:
    """The file of jieba's words. The package is found and not imported: its import warns."""
    import importlib.util

    spec = importlib.util.find_spec("jieba")
    path = Path(spec.origin).with_name("dict.txt") if spec and spec.origin else None
    if path is None or not path.is_file():
        raise BytepairError(
            "jieba's dictionary is in its package, which is not installed",
            hint="pip install 'bytepair[zh]'",
        )
    return path


class DictionaryTokenizer(Table):
    """The words of a dictionary; characters that none of them covers stand alone and are unknown.

    ``method`` is how words are chosen where several fit: ``"forward"`` takes the longest from the
    left, ``"backward"`` from the right, ``"bidirectional"`` the one of these two with fewer tokens,
    then with fewer single characters, then the one from the right; ``"frequency"`` the path whose
    words have the largest product of shares of the counts, as jieba computes it without its model
    for new words (a character where no word begins counts once; the longer word among equals).
    jieba itself also joins letters and digits outside the dictionary, which this does not.

    >>> words = ["今天", "西安", "的", "天气", "怎么", "怎么样", "？"]
    >>> tok = DictionaryTokenizer(words)
    >>> tok.tokens("今天西安的天气怎么样？")
    ['今天', '西安', '的', '天气', '怎么样', '？']
    >>> tok.unknowns("今天犇")
    ['犇']
    """

    kind: ClassVar[str] = "dict"

    def __init__(self, words: Words, method: Method = "forward") -> None:
        if method not in METHODS:
            raise ValueError(f"method `{method}`: one of {', '.join(METHODS)}")
        self.counts = counted(words)
        self.method = method
        super().__init__(self.counts)
        self._cut = cutter(self.counts, method)

    def tokens(self, text: Text) -> list[str]:
        return self._cut(as_text(text))

    def state(self) -> dict[str, Any]:
        return {"method": self.method, "words": self.counts}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls(word_counts(state["words"]), state["method"])

    @classmethod
    def from_argument(cls, argument: str) -> DictionaryTokenizer:
        """``dict:words.txt``: forward, or by frequency where the file has counts."""
        words = read_words(argument, cls.kind)
        plain = all(count == 1 for count in words.values())
        return cls(words, "forward" if plain else "frequency")


def word_counts(value: object) -> dict[str, int]:
    """Words with their counts, from a file that may hold anything."""
    if not isinstance(value, dict) or not all(isinstance(word, str) for word in value):
        raise ValueError("`words` is no object of words and counts")
    return value


# ------------------------------------------------------------------ the ways to cut

Cutter = Callable[[str], list[str]]


def cutter(counts: Mapping[str, int], method: Method) -> Cutter:
    if not counts or (method == "frequency" and not any(counts.values())):
        return list
    if method == "forward":
        return forward(counts)
    if method == "backward":
        return backward(counts)
    if method == "bidirectional":
        return bidirectional(counts)
    return by_frequency(counts)


def automaton(words: Iterable[str], *, longest: bool) -> Any:
    """An Aho-Corasick automaton, which finds words in time that grows with the text alone."""
    try:
        from ahocorasick_rs import AhoCorasick, MatchKind
    except ModuleNotFoundError:
        raise missing_extra("dictionary words are found", "ahocorasick-rs") from None
    kind = MatchKind.LeftmostLongest if longest else MatchKind.Standard
    return AhoCorasick(words, matchkind=kind, store_patterns=False)


def forward(words: Iterable[str]) -> Cutter:
    """The leftmost longest matches are those of maximum matching: where no word begins, a character
    is passed over."""
    found = automaton(words, longest=True)

    def cut(text: str) -> list[str]:
        tokens: list[str] = []
        at = 0
        for _, start, end in found.find_matches_as_indexes(text):
            tokens += text[at:start]
            tokens.append(text[start:end])
            at = end
        tokens += text[at:]
        return tokens

    return cut


def backward(words: Iterable[str]) -> Cutter:
    """Forward on everything reversed."""
    cut = forward([word[::-1] for word in words])
    return lambda text: [token[::-1] for token in reversed(cut(text[::-1]))]


def bidirectional(words: Mapping[str, int]) -> Cutter:
    left, right = forward(words), backward(words)

    def rank(tokens: list[str]) -> tuple[int, int]:
        return len(tokens), sum(len(token) == 1 for token in tokens)

    def cut(text: str) -> list[str]:
        return min(right(text), left(text), key=rank)  # the first of equals

    return cut


def by_frequency(counts: Mapping[str, int]) -> Cutter:
    """The most probable path, from the end of the text to its beginning. For each place: the best
    word to begin here, given the best path from where it ends; where no word begins, the character.
    The sums are made in jieba's order, so that paths of nearly equal worth are decided as there."""
    words = [word for word, count in counts.items() if count]
    found = automaton(words, longest=False)
    whole = log(sum(counts.values()) or 1)
    worths = [log(counts[word]) - whole for word in words]
    alone = log(1) - whole
    # A line is a text of its own, which keeps memory small, unless a word goes over its end.
    by_lines = not any("\n" in word for word in words)

    def cut(text: str) -> list[str]:
        parts = text.splitlines(keepends=True) if by_lines else [text]
        return [token for part in parts for token in cut_part(part)]

    def cut_part(text: str) -> list[str]:
        begin: dict[int, list[tuple[int, float]]] = {}
        for word, start, end in found.find_matches_as_indexes(text, overlapping=True):
            begin.setdefault(start, []).append((end, worths[word]))
        best = [0.0] * (len(text) + 1)
        ends = [0] * len(text)
        for at in range(len(text) - 1, -1, -1):
            candidates = begin.get(at)
            if candidates is None:
                best[at], ends[at] = alone + best[at + 1], at + 1
            else:
                best[at], ends[at] = max((own + best[end], end) for end, own in candidates)
        tokens = []
        at = 0
        while at < len(text):
            tokens.append(text[at : ends[at]])
            at = ends[at]
        return tokens

    return cut
