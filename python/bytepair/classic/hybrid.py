"""Words where the table has them, characters for the rest.

What it adds to dictionaries: the characters of the words are in the table too, so that a word it
lacks is spelled and not lost. Fewer things are unknown, but a character that no word has still is.
The table is large, and most of a new word's meaning is gone with its pieces.

A word of the table is taken where it begins and ends at a default word boundary of Unicode (UAX
#29). Inside an English word there is none, so that ``cat`` is not taken out of ``catalog``, which
is known whole or spelled; between two Chinese characters there always is one, so that there the
dictionary decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any, Self

from bytepair.arguments import Text
from bytepair.classic.base import Table, as_text, texts_of
from bytepair.classic.dictionary import Words, counted, read_words, word_counts
from bytepair.classic.maximum_matching import forward
from bytepair.classic.word import unicode_words

__all__ = ["ASCII", "HybridTokenizer"]

#: What `hybrid:words.txt` can spell beside its words: no text is at hand that would say more.
ASCII = "\t\n\r" + "".join(map(chr, range(0x20, 0x7F)))


def cuts_of(text: str) -> bytearray:
    """1 at each place of a text where Unicode has a word boundary, 0 at the others.

    >>> list(cuts_of("a cat"))
    [1, 1, 1, 0, 0, 1]
    """
    cuts = bytearray(len(text) + 1)
    for place in accumulate(map(len, unicode_words()(text)), initial=0):
        cuts[place] = 1
    return cuts


class HybridTokenizer(Table):
    """The longest word of the dictionary, from the left; single characters where none begins.

    The table has the words, then those characters of the words and of ``texts`` that are no words.

    >>> tok = HybridTokenizer(["今天", "天气", "西安"])
    >>> tok.tokens("今天安西")
    ['今天', '安', '西']
    >>> tok.decode(tok.encode("今天安西")), tok.unknowns("犇")
    ('今天安西', ['犇'])
    >>> HybridTokenizer(["cat", "the"]).tokens("the catalog")
    ['the', ' ', 'c', 'a', 't', 'a', 'l', 'o', 'g']
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
        self._cut = forward(self.words, cuts_of) if self.words else list
        unicode_words()  # what is missing is missed here, and not in the midst of a text

    def tokens(self, text: Text) -> list[str]:
        return self._cut(as_text(text))

    def state(self) -> dict[str, Any]:
        return {"words": dict.fromkeys(self.words, 1), "characters": "".join(self.characters)}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls(word_counts(state["words"]), texts=[state["characters"]])

    @classmethod
    def from_argument(cls, argument: str) -> HybridTokenizer:
        """``hybrid:words.txt``: the words of that file, their characters, and those of ASCII."""
        return cls(read_words(argument, cls.kind), texts=[ASCII])
