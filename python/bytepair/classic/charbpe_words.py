"""What a word is to BPE on characters, and the symbols that it starts as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import index

from bytepair.arguments import Text
from bytepair.classic.base import as_text, texts_of

__all__ = ["check_mark", "count_words", "first_symbols", "marked", "stripped", "words_of"]


def stripped(line: str) -> str:
    """A line without the blanks and line ends around it: other white space is no such thing."""
    return line.strip("\r\n ")


def words_of(text: str) -> Iterable[str]:
    """What stands between blanks, line by line.

    >>> [*words_of("a b  c\\td\\r\\n\\n e")]
    ['a', 'b', 'c\\td', 'e']
    """
    return filter(None, chain.from_iterable(stripped(line).split(" ") for line in text.split("\n")))


def count_words(words: Mapping[str, int] | Iterable[Text]) -> dict[str, int]:
    """How often each word occurs, in order of first appearance; those with a count of 0 do not.

    >>> count_words(["b a", "b"]), count_words({"a": 2, "b": 0})
    ({'b': 2, 'a': 1}, {'a': 2})
    """
    counts: Counter[str] = Counter()
    if isinstance(words, Mapping):
        for word, count in words.items():
            counts[checked(word)] += whole(word, count)
        return {word: count for word, count in counts.items() if count}
    for text in texts_of(words):
        counts.update(words_of(text))
    return dict(counts)


def checked(word: object) -> str:
    if not isinstance(word, str):
        raise TypeError(f"a word is a `str`, not `{type(word).__name__}`: `{word!r}`")
    text = as_text(word)
    if [*words_of(text)] != [text]:
        raise ValueError(f"`{word!r}` is no word: texts are cut at blanks and line ends")
    return text


def whole(word: str, count: int) -> int:
    try:
        number = index(count)
    except TypeError:
        raise TypeError(f"the count of `{word}` is no whole number: `{count!r}`") from None
    if not 0 <= number < 1 << 63:
        raise ValueError(f"the count of `{word}` is `{number}`: from 0 to 2^63 - 1")
    return number


def check_mark(end_of_word: str | None, glued: bool) -> None:
    if end_of_word is None and glued:
        raise ValueError("glued=True needs a mark: `end_of_word` is `None`")
    if end_of_word is not None and [*words_of(as_text(end_of_word))] != [end_of_word]:
        raise ValueError(
            f"end_of_word `{end_of_word!r}`: a text without blanks and line ends, or None"
        )


def marked(word: str, end_of_word: str | None, glued: bool) -> list[str]:
    """The symbols that a word starts as.

    >>> marked("low", "</w>", glued=False), marked("low", "</w>", glued=True)
    (['l', 'o', 'w', '</w>'], ['l', 'o', 'w</w>'])
    """
    if end_of_word is None:
        return list(word)
    if glued:
        return [*word[:-1], word[-1] + end_of_word]
    return [*word, end_of_word]


def first_symbols(alphabet: Sequence[str], end_of_word: str | None, glued: bool) -> list[str]:
    """All that words can start as, as they are numbered: the characters, then what has the mark.
    Any character may end a word one day, so that each is there with the mark glued on, too."""
    if end_of_word is None:
        return list(alphabet)
    if glued:
        return [*alphabet, *(character + end_of_word for character in alphabet)]
    return list(dict.fromkeys([*alphabet, end_of_word]))
