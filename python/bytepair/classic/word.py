"""Words: short sequences, and a table that never ends.

What it adds to characters: a token is what people call a word, and a text is as short as it can be.
What it costs: new words come for ever, and each that the table lacks is ``<UNK>`` and lost;
``low``, ``lower`` and ``lowest`` have nothing in common; and writing without blanks has no words to
cut at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, Self

from bytepair.arguments import Text
from bytepair.classic.base import UNKNOWN, Table, as_text, read_lines, strings, texts_of
from bytepair.errors import BytepairError

__all__ = ["Boundaries", "WordTokenizer", "missing_extra", "unicode_words"]

Boundaries = Literal["space", "unicode"]

# Of a run of flags each pair is a word, and whether a place is inside a pair shows only at the
# start of the run. `\b` goes back there from every place, which is quadratic: pairs with another
# flag after them are cut before it is asked.
FLAG, INSIDE = r"\p{WB=Regional_Indicator}", r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*+"
WORD = rf"(?ws)(?:{FLAG}{INSIDE}){{2}}(?={FLAG})|.+?\b"


def missing_extra(what: str, library: str) -> BytepairError:
    """The error for a library of the extra ``classic`` that is not installed."""
    return BytepairError(
        f"{what} by the library `{library}`, which is not installed",
        hint="pip install 'bytepair[classic]'",
    )


@cache
def unicode_words() -> Callable[[str], list[str]]:
    """A function that cuts a text at Unicode's default word boundaries (UAX #29), nothing left out.

    >>> unicode_words()("Can't stop: 3.14!")
    ["Can't", ' ', 'stop', ':', ' ', '3.14', '!']
    """
    try:
        import regex
    except ModuleNotFoundError:
        raise missing_extra("words are found", "regex") from None
    return regex.compile(WORD).findall


class WordTokenizer(Table):
    """The most frequent words, and ``<UNK>`` for all others.

    By ``"space"`` a word is what stands between white space, and is decoded with one blank to the
    next: which white space there was is lost. By ``"unicode"`` the text is cut at the word
    boundaries of UAX #29, blanks and punctuation are tokens too, and a text of known tokens comes
    back as it was. A word that is spelled ``<UNK>`` counts as unknown.

    >>> tok = WordTokenizer.build(["the cat and the dog"], size=2)
    >>> tok.tokens("the dog"), tok.encode("the dog"), len(tok)
    (['the', 'dog'], [1, 0], 3)
    >>> tok.decode(tok.encode("the dog"))
    'the <UNK>'
    """

    kind = "word"

    def __init__(self, words: Iterable[str], *, by: Boundaries = "space") -> None:
        if by not in ("space", "unicode"):
            raise ValueError(f'by `{by}`: "space" or "unicode"')
        super().__init__(words)
        self.by = by
        self.lossless = by == "unicode"
        self._cut: Callable[[str], list[str]] = str.split if by == "space" else unicode_words()

    @classmethod
    def build(
        cls, texts: Iterable[Text], *, size: int | None = None, by: Boundaries = "space"
    ) -> Self:
        """The table of the ``size`` most frequent words of the texts, the earlier first among
        equals; of all of them without a size. ``<UNK>`` comes on top."""
        if size is not None and size < 0:
            raise ValueError(f"size `{size}`: at least 0")
        cut = cls((), by=by)._cut
        counts: Counter[str] = Counter()
        for text in texts_of(texts):
            counts.update(cut(text))
        del counts[UNKNOWN]
        return cls((word for word, _ in counts.most_common(size)), by=by)

    def tokens(self, text: Text) -> list[str]:
        return self._cut(as_text(text))

    def decode_bytes(self, ids: Iterable[int], *, skip_special: bool = False) -> bytes:
        return (b" " if self.by == "space" else b"").join(self.pieces(ids))

    def state(self) -> dict[str, Any]:
        return {"by": self.by, **super().state()}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls(strings(state["tokens"]), by=state["by"])

    @classmethod
    def from_argument(cls, argument: str, *, by: Boundaries = "space") -> WordTokenizer:
        """``word:corpus.txt``: all words of that file, by white space; ``word-unicode:corpus.txt``
        by Unicode's boundaries."""
        return cls.build(read_lines(argument, cls.kind, "a corpus"), by=by)
