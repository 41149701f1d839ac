"""BPE on characters: the pieces between the character and the word, learned from their counts.

What it adds to dictionaries: nobody writes the list. The pair of symbols that occurs most often
becomes a symbol, again and again, so that frequent words become one token and rare ones a few. A
mark at the end of each word keeps `est` at an end apart from `est` inside. This is BPE as it came
to language (Sennrich, Haddow and Birch 2016: subword-nmt), before bytes: characters that were never
seen are still unknown, and what stands between words is lost.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, Self

from bytepair.arguments import Text
from bytepair.classic.base import UNKNOWN, Classic, Table, as_text
from bytepair.classic.charbpe_merging import LONG, merge_symbols
from bytepair.classic.charbpe_training import learn
from bytepair.classic.charbpe_words import (
    check_mark,
    count_words,
    first_symbols,
    marked,
    stripped,
    words_of,
)
from bytepair.classic.codes import END_OF_WORD, read_codes, written_codes
from bytepair.errors import FormatError, TrainingWarning, UnknownNameError
from bytepair.reference.bpe import TIES
from bytepair.writing import write_whole

__all__ = ["CharBPETokenizer"]

Merges = Sequence[tuple[str, str]]
#: A seed, or a generator of random numbers that goes on where it stands.
Seed = int | Random | None

#: How many words are remembered with their tokens, before all are forgotten.
REMEMBERED = 1 << 16


class CharBPETokenizer(Table):
    """BPE on the characters of words.

    A text is cut into lines and a line at its blanks, as subword-nmt does: other white space
    belongs to the words. ``end_of_word`` is the mark at the end of each word, a symbol of its own
    unless it is ``glued`` to the last character (versions 0.1 and 0.2 of subword-nmt); with
    ``None`` words have no mark. The vocabulary is ``<UNK>``, the characters by code point, the mark
    (or each character again, with the mark), and what the merges make.

    ``decode`` gives the words with one blank between, or with none where there is no mark: what is
    lost is the number of blanks, the line ends, and unknown characters, which come back as
    ``<UNK>`` (with a mark that is glued on, one at the end of a word takes the blank with it).

    >>> tok = CharBPETokenizer.train({"low": 5, "lower": 2, "new": 6, "widest": 3}, merges=4,
    ...                              ties="huggingface")
    >>> tok.merges
    [('w', '</w>'), ('l', 'o'), ('e', 'w</w>'), ('n', 'ew</w>')]
    >>> tok.tokens("new  slow")
    ['new</w>', 's', 'lo', 'w</w>']
    >>> tok.segment("new  slow")
    'new s@@ lo@@ w'
    >>> tok.decode(tok.encode("new  slow"))
    'new slow'
    """

    kind = "charbpe"
    lossless = False

    def __init__(
        self,
        alphabet: Iterable[str],
        merges: Iterable[tuple[str, str]],
        *,
        end_of_word: str | None = END_OF_WORD,
        glued: bool = False,
        counts: Sequence[int] | None = None,
    ) -> None:
        check_mark(end_of_word, glued)
        self._alphabet = sorted(set(alphabet))
        self._merges = list(dict.fromkeys(merges))
        self.end_of_word = end_of_word
        self.glued = glued
        #: How often each pair occurred when it was merged; `None` for a file that does not say.
        self.counts = None if counts is None else list(counts)
        if self.counts is not None and len(self.counts) != len(self._merges):
            raise ValueError(f"{len(self.counts)} counts for {len(self._merges)} merges")
        made = (left + right for left, right in self._merges)
        symbols = dict.fromkeys(chain(first_symbols(self._alphabet, end_of_word, glued), made))
        symbols.pop(UNKNOWN, None)
        super().__init__(symbols)
        self._ranks = {pair: rank for rank, pair in enumerate(self._merges)}
        self._remembered: dict[str, list[str]] = {}

    @classmethod
    def train(
        cls,
        words: Mapping[str, int] | Iterable[Text],
        merges: int,
        *,
        end_of_word: str | None = END_OF_WORD,
        glued: bool = False,
        ties: str = "bytes",
        min_count: int = 1,
    ) -> Self:
        """Learns from words with their counts, or from the words of texts.

        ``ties`` decides among pairs of equal count, as it does for bytes (``spec/README.md``):
        ``"bytes"`` the greatest pair of strings, compared left, then right, which is what
        subword-nmt does; ``"ids"`` the greatest and ``"huggingface"`` the smallest pair of ids;
        ``"first"`` the pair that stands first in the words, in their order. ``min_count`` ends the
        training at rarer pairs (subword-nmt: ``--min-frequency``, 2). ``counts`` are kept.

        A ``TrainingWarning`` says so where there are fewer merges than asked for.

        >>> texts = ["今天天气好", "今天去西安", "今天怎么样", "西安天气差"]
        >>> tok = CharBPETokenizer.train(texts, merges=2, end_of_word=None, ties="first")
        >>> [*zip(tok.merges, tok.counts)]
        [(('今', '天'), 3), (('天', '气'), 2)]
        """
        if merges < 0:
            raise ValueError(f"merges `{merges}`: at least 0")
        if min_count < 1:
            raise ValueError(f"min_count `{min_count}`: at least 1")
        if ties not in TIES:
            raise ValueError(f"unknown tie rule `{ties}`; choose one of {', '.join(TIES)}")
        check_mark(end_of_word, glued)
        counts = count_words(words)
        alphabet = sorted(set(chain.from_iterable(counts)))

        def split(word: str) -> list[str]:
            return marked(word, end_of_word, glued)

        symbols = first_symbols(alphabet, end_of_word, glued)
        learned = learn(counts, split, symbols, merges, ties, min_count)
        if (got := len(learned.merges)) < merges:
            reason = "no pair is left" if min_count == 1 else f"no pair occurs {min_count} times"
            warnings.warn(
                f"training ended at {got:,} of {merges:,} merges: {reason}",
                TrainingWarning,
                stacklevel=2,
            )
        return cls(
            alphabet, learned.merges, end_of_word=end_of_word, glued=glued, counts=learned.counts
        )

    # Cutting -------------------------------------------------------------------------------------

    def tokens(self, text: Text, *, dropout: float = 0.0, seed: Seed = None) -> list[str]:
        """The tokens of all words, marks included. ``dropout`` is the probability with which a
        merge is overlooked, each time anew; a ``seed`` gives the same again."""
        random = generator(dropout, seed)
        found: list[str] = []
        for word in words_of(as_text(text)):
            found += self._cut(word, dropout, random)
        return found

    def _cut(self, word: str, dropout: float, random: Random | None) -> list[str]:
        symbols = marked(word, self.end_of_word, self.glued)
        if len(word) == 1:  # never broken up, as in subword-nmt
            random = None
        if random is not None:
            return merge_symbols(symbols, self._ranks, dropout, random.random)
        if (known := self._remembered.get(word)) is not None:
            return known
        merged = merge_symbols(symbols, self._ranks)
        if len(word) <= LONG:
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            self._remembered[word] = merged
        return merged

    def segment(
        self, line: Text, *, separator: str = "@@", dropout: float = 0.0, seed: Seed = None
    ) -> str:
        """A line as subword-nmt writes it: blanks between the tokens, ``@@`` after each that its
        word goes on after, marks left out; blanks and line ends around the line are kept. The same
        seed throws the dice as subword-nmt's does, in words of up to 100 symbols.

        For all lines of a corpus, ``seed`` is a ``random.Random`` that goes on from line to line.
        """
        random = generator(dropout, seed)
        text = as_text(line)
        content = stripped(text)
        if not content:
            return text
        start = text.index(content)
        pieces: list[str] = []
        for word in filter(None, content.split(" ")):
            *inner, last = self._pieces(word, dropout, random)
            pieces += [piece + separator for piece in inner]
            pieces.append(last)
        return f"{text[:start]}{' '.join(pieces)}{text[start + len(content) :]}"

    def _pieces(self, word: str, dropout: float, random: Random | None) -> list[str]:
        """The tokens of a word without its mark."""
        if len(word) == 1:
            return [word]
        *inner, last = self._cut(word, dropout, random)
        last = last.removesuffix(self.end_of_word or "")
        return [*inner, last] if last else inner

    def encode(
        self,
        text: Text,
        *,
        allowed_special: Collection[str] = (),
        disallowed_special: Collection[str] = (),
        dropout: float = 0.0,
        seed: Seed = None,
    ) -> list[int]:
        """One id for each of ``tokens``; ``<UNK>`` for characters that are not in the alphabet."""
        self.check_special(allowed_special, disallowed_special)
        return self.numbers(self.tokens(text, dropout=dropout, seed=seed))

    def unknowns(self, text: Text) -> list[str]:
        """The characters that are not in the alphabet, in order."""
        found = super().unknowns(text)
        if self.end_of_word is None or not self.glued:
            return found
        return [token.removesuffix(self.end_of_word) for token in found]

    def decode_bytes(self, ids: Iterable[int], *, skip_special: bool = False) -> bytes:
        pieces = self.pieces(ids)
        if self.end_of_word is None:
            return b"".join(pieces)
        mark = self.end_of_word.encode()
        words = (piece[: -len(mark)] + b" " if piece.endswith(mark) else piece for piece in pieces)
        return b"".join(words).removesuffix(b" ")

    # What it is ----------------------------------------------------------------------------------

    @property
    def merges(self) -> list[tuple[str, str]]:
        """The pairs that were merged, in order."""
        return list(self._merges)

    @property
    def alphabet(self) -> list[str]:
        """The characters that are known, by code point."""
        return list(self._alphabet)

    def truncated(self, merges: int) -> Self:
        """The tokenizer that training would have given with so many merges, or fewer."""
        if not 0 <= merges <= len(self._merges):
            raise ValueError(f"merges `{merges}`: from 0 to {len(self._merges)}")
        return type(self)(
            self._alphabet,
            self._merges[:merges],
            end_of_word=self.end_of_word,
            glued=self.glued,
            counts=None if self.counts is None else self.counts[:merges],
        )

    def state(self) -> dict[str, Any]:
        return {
            "alphabet": "".join(self._alphabet),
            "end_of_word": self.end_of_word,
            "glued": self.glued,
            "merges": [list(pair) for pair in self._merges],
            "counts": self.counts,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        alphabet, merges, counts = state["alphabet"], state["merges"], state["counts"]
        mark, glued = state["end_of_word"], state["glued"]
        if not isinstance(alphabet, str):
            raise ValueError("`alphabet` is no string")
        if not isinstance(merges, list) or not all(map(is_pair, merges)):
            raise ValueError("`merges` is no list of pairs of strings")
        if not (mark is None or isinstance(mark, str)) or not isinstance(glued, bool):
            raise ValueError("`end_of_word` is no string, or `glued` neither true nor false")
        if counts is not None and not (
            isinstance(counts, list) and all(type(count) is int for count in counts)
        ):
            raise ValueError("`counts` is no list of numbers")
        pairs = [(as_text(left), as_text(right)) for left, right in merges]
        return cls(as_text(alphabet), pairs, end_of_word=mark, glued=glued, counts=counts)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Everything as JSON where the path ends in ``.json``; otherwise the merges alone, as a
        file of subword-nmt's codes: version 0.1 where the mark is a symbol of its own, 0.2 where it
        is glued on. Such a file holds no other mark than ``</w>``: for those, and for none, it is
        a ``FormatError``."""
        path = Path(path)
        if path.suffix == ".json":
            super().save(path)
            return
        if self.end_of_word != END_OF_WORD:
            raise FormatError(
                f"a file of codes knows the mark `{END_OF_WORD}` alone, not `{self.end_of_word}`",
                hint="end the path in `.json`",
            )
        write_whole({path: written_codes(self._merges, self.glued)})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """What ``save`` wrote, or a file of subword-nmt's codes, whose alphabet are the characters
        of its merges: they alone will be known."""
        path = Path(path)
        if path.suffix == ".json":
            return super().load(path)
        codes = read_codes(path)
        symbols = {symbol for pair in codes.merges for symbol in pair}
        alphabet = chain.from_iterable(symbol.removesuffix(END_OF_WORD) for symbol in symbols)
        tokenizer = cls(alphabet, codes.merges, glued=codes.glued)
        tokenizer.name = path.stem
        return tokenizer

    @classmethod
    def from_argument(cls, argument: str) -> Classic:
        """``charbpe:codes.txt`` has the merges of that file."""
        if not argument:
            raise UnknownNameError(
                "`charbpe` needs a file of codes", hint="`charbpe:FILE` names it"
            )
        return cls.load(argument)


def is_pair(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(part, str) and part for part in value)
    )


def generator(dropout: float, seed: Seed) -> Random | None:
    """What throws the dice; nothing without dropout."""
    if not 0 <= dropout <= 1:
        raise ValueError(f"dropout `{dropout}`: from 0 to 1")
    if not dropout:
        return None
    return seed if isinstance(seed, Random) else Random(seed)
