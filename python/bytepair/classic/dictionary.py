"""Dictionaries: words where no blanks are written.

What it adds to words: the table itself says where the words of a text are. Maximum matching takes
the longest word that fits; the path of highest probability weighs all ways to cut, as jieba does.
What it costs: somebody has to write the dictionary, and a new word falls apart into characters,
which are unknown if they are no words themselves.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from math import log
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from bytepair.arguments import Text
from bytepair.classic.base import UNKNOWN, Table, as_text, read_file, shown
from bytepair.classic.maximum_matching import (
    Cutter,
    automaton,
    backward,
    bidirectional,
    forward,
)
from bytepair.errors import BytepairError, FormatError

__all__ = ["DictionaryTokenizer", "Method", "Words", "counted", "read_words"]

Method = Literal["forward", "backward", "bidirectional", "frequency"]
Words = Iterable[str] | Mapping[str, int]
METHODS = ("forward", "backward", "bidirectional", "frequency")
#: The name of jieba's own dictionary, in the place of a file.
JIEBA = "jieba"
#: The characters among which jieba looks for words.
SUMMED = {
    *"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+#&._%-",
    *map(chr, range(0x4E00, 0x9FD5 + 1)),
}


def counted(words: Words) -> dict[str, int]:
    """The words with their counts, 1 for those of a list; the first count holds for a word given
    twice. Raises ``ValueError`` for an empty word or a count that is no number from 0 on."""
    if isinstance(words, str | bytes):
        raise TypeError("words is a list or a mapping, not one text: its characters would be words")
    pairs = words.items() if isinstance(words, Mapping) else ((word, 1) for word in words)
    found: dict[str, int] = {}
    for given, count in pairs:
        word = as_text(given)
        if not word:
            raise ValueError("a word is empty, and would be found everywhere")
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < 1 << 63:
            given_count = shown(count) if isinstance(count, int) else count
            raise ValueError(
                f"the count of `{word}` is `{given_count}`: a whole number from 0 to 2^63 - 1"
            )
        found.setdefault(word, count)
    found.pop(UNKNOWN, None)
    return found


def read_words(argument: str, kind: str) -> dict[str, int]:
    """The words of a file, one a line, each with a count after it or not (``word count tag``, as in
    jieba's dictionaries); ``jieba`` is the dictionary of that package (the extra ``zh``). A file
    that is no UTF-8 is a ``FormatError``: each of its words would be another."""
    path = jieba_dictionary() if argument == JIEBA else argument
    found: dict[str, int] = {}
    data = read_file(os.fspath(path), kind, "a list of words").removeprefix(b"\xef\xbb\xbf")
    for number, line in enumerate(data.splitlines(), 1):
        try:
            parts = line.decode().split()
        except UnicodeDecodeError as error:
            raise FormatError(
                f"`{path}`, line {number}: byte `\\x{line[error.start]:02x}` is no UTF-8",
                hint="a list of words is read as UTF-8: convert it first",
            ) from None
        if not parts:
            continue
        if len(parts) > 1 and not re.fullmatch(r"[0-9]{1,18}", parts[1]):
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

    Where jieba does something else: it joins ASCII letters and digits in a row that no word covers,
    and leaves ``\\r\\n`` together. It looks for words only among ``一`` to ``鿕`` (U+4E00 to
    U+9FD5), ASCII letters, digits and ``+#&._%-``, so that it never finds ``γ射线``. A word that
    stands twice in its file (``B超``) counts twice in its sum of all counts.

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
    def from_argument(cls, argument: str, *, method: Method | None = None) -> DictionaryTokenizer:
        """``dict:words.txt``: forward, or by frequency where the file has counts;
        ``dict-backward:words.txt`` and its like say the method."""
        words = read_words(argument, cls.kind)
        if method is None:
            method = "forward" if all(count == 1 for count in words.values()) else "frequency"
        return cls(words, method)


def word_counts(value: object) -> dict[str, int]:
    """Words with their counts, from a file that may hold anything."""
    if not isinstance(value, dict) or not all(isinstance(word, str) for word in value):
        raise ValueError("`words` is no object of words and counts")
    return value


# ------------------------------------------------------------------ the ways to cut


def cutter(counts: Mapping[str, int], method: Method) -> Cutter:
    if not counts or (method == "frequency" and not any(counts.values())):
        return list
    ways: dict[str, Callable[[Mapping[str, int]], Cutter]] = {
        "forward": forward,
        "backward": backward,
        "bidirectional": bidirectional,
        "frequency": by_frequency,
    }
    return ways[method](counts)


#: Characters of a text whose words are in memory together: of nested words many begin at one place.
WINDOW = 1024


def by_frequency(counts: Mapping[str, int]) -> Cutter:
    """The most probable path, from the end of the text to its beginning. For each place: the best
    word to begin here, given the best path from where it ends; where no word begins, the character.
    The sums are made in jieba's order and begin anew where jieba's do, so that rounding decides
    between paths of equal worth as it does there."""
    words = [word for word, count in counts.items() if count]
    found = automaton(words)
    whole = log(sum(counts.values()) or 1)
    worths = [log(counts[word]) - whole for word in words]
    alone = log(1) - whole
    # Over these the sums run on; every other character stands alone for certain.
    summed = {*SUMMED, *(each for word in words if len(word) > 1 for each in word)}
    # A line is a text of its own, which keeps memory small, unless a word goes over its end.
    by_lines = not any("\n" in word for word in words)

    def cut(text: str) -> list[str]:
        parts = re.split(r"(?<=\n)", text) if by_lines else [text]
        return [token for part in parts for token in cut_part(part)]

    longest = max(map(len, words))
    window = max(WINDOW, longest // 4)

    def begins(text: str, low: int, high: int) -> dict[int, list[tuple[int, float]]]:
        """The words that begin from `low` to `high`: where each ends, and its worth."""
        found_here: dict[int, list[tuple[int, float]]] = {}
        part = text[low : high + longest - 1]
        for word, start, end in found.find_matches_as_indexes(part, overlapping=True):
            if low + start < high:
                found_here.setdefault(low + start, []).append((low + end, worths[word]))
        return found_here

    def cut_part(text: str) -> list[str]:
        best = [0.0] * (len(text) + 1)
        ends = [0] * len(text)
        begin: dict[int, list[tuple[int, float]]] = {}
        for at in range(len(text) - 1, -1, -1):
            if at % window == window - 1 or at == len(text) - 1:
                low = at - at % window
                begin = begins(text, low, at + 1)
            candidates = begin.get(at)
            if text[at] not in summed:
                ends[at] = at + 1
            elif candidates is None:
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
