"""Words where the table has them, characters for the rest.

What it adds to dictionaries: the characters of the words are in the table too, so that a word it
lacks is spelled and not lost. Fewer things are unknown, but a character that no word has still is.
The table is large, and most of a new word's meaning is gone with its pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from bytepair.arguments import Text
from bytepair.classic.base import Table, as_text, texts_of
from bytepair.classic.dictionary import Words, counted, forward, read_words, word_counts

__all__ = ["HybridTokenizer"]


class HybridTokenizer(Table):
    """The longest word of the dictionary, from the left; single characters where none begins.

    The table has the words, then those characters of the words and of ``texts`` that are no words.

    >>> tok = HybridTokenizer(["今天", "天气", "西安"])
    >>> tok.tokens("今天安西")
    ['今天', '安', '西']
    >>> tok.decode(tok.encode("今天安西")), tok.unknowns("犇")
    ('今天安西', ['犇'])
    """

    kind = "hybrid"

    def __init__(self, words: Words, *, texts: Iterable[Text] = ()) -> None:
        counts = counted(words)
        self.words = tuple(counts)
        spelled = (character for word in self.words for character in word)
        characters = dict.fromkeys(spelled)
        for text in texts_of(texts):
            characters.update(dict.fromkeys(text))
        self.characters = tuple(each for each in characters if each not in counts)
        super().__init__((*self.words, *self.characters))
        self._cut = forward(self.words) if self.words else list

    def tokens(self, text: Text) -> list[str]:
        return self._cut(as_text(text))

    def state(self) -> dict[str, Any]:
        return {"words": dict.fromkeys(self.words, 1), "characters": "".join(self.characters)}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls(word_counts(state["words"]), texts=[state["characters"]])

    @classmethod
    def from_argument(cls, argument: str) -> HybridTokenizer:
        """``hybrid:words.txt``: the words of that file, and their characters."""
        return cls(read_words(argument, cls.kind))
