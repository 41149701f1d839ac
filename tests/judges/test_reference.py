"""Pretokens and ids equal to the reference's: on characters, on soups, and on ill-formed bytes.

The reference is the only judge of bytes that are no UTF-8: tiktoken's way to encode bytes drops the
pattern after the first bad byte, and tokenizers takes no bytes.
"""

from __future__ import annotations

import functools
import itertools
import random
from unittest.mock import patch

import pytest
import unicodedata2
from effort import EXHAUSTIVE, effort
from hard_alphabets import EVERY, borders, forms, soups
from hypothesis import given, settings
from hypothesis import strategies as st
from outside_judges import bundled
from tally import judging

import bytepair
from bytepair.reference import NAMED, PatternTokenizer, split
from bytepair.reference.tokenizer import by_merges, by_ranks, encode_pretoken

REFERENCE = "bytepair.reference"
EXAMPLES = settings(max_examples=effort(20, most=400))


class Reference:
    """The reference with the content of a tokenizer, its two steps and no more."""

    def __init__(self, tok: bytepair.Tokenizer) -> None:
        self.ids = {token: id for id, token in tok.vocab.items()}
        self.whole = tok.ignore_merges
        self.rank_of = by_ranks(self.ids) if self.whole else by_merges(tok.merges)
        self.tokenizer = PatternTokenizer(
            tok.vocab, self.rank_of, tok.pattern, normalization=tok.normalization
        )

    def normalize(self, data: bytes) -> bytes:
        """By Unicode 16, which not every Python has."""
        with patch.object(bytepair.reference.tokenizer, "unicodedata", unicodedata2):
            return self.tokenizer.normalize(data)

    @functools.lru_cache(maxsize=2**18)  # noqa: B019 (it lives as long as one test)
    def ids_of(self, pretoken: bytes) -> list[int]:
        if self.whole and pretoken in self.ids:
            return [self.ids[pretoken]]
        return [self.ids[token] for token in encode_pretoken(pretoken, self.rank_of)]


def check(tok: bytepair.Tokenizer, reference: Reference, texts: list[str] | list[bytes]) -> None:
    """Pretokens, ids and the way back, one text after another and in a batch."""
    batch = tok.encode_batch_to_numpy(texts)
    for i, text in enumerate(texts):
        data = text if isinstance(text, bytes) else text.encode()
        ids = batch.ids[batch.offsets[i] : batch.offsets[i + 1]].tolist()
        normalized = reference.normalize(data)
        pretokens = split(tok.pattern, normalized)
        assert tok.pretokens(text) == pretokens, text
        assert ids == [id for pretoken in pretokens for id in reference.ids_of(pretoken)], text
        assert tok.decode_bytes(ids) == normalized, text


@pytest.mark.parametrize("pattern", NAMED)
def test_pretokens_of_characters(pattern):
    tok = bytepair.Tokenizer.from_merges([], pattern=pattern)
    sample = random.Random(7).sample(EVERY, effort(300, most=50_000))
    with judging(f"pattern {pattern}", REFERENCE, "characters") as tally:
        for character in itertools.chain(borders(), sample):
            for text in forms(character):
                assert tok.pretokens(text) == split(pattern, text.encode()), text
            tally.add(forms(character))


@pytest.mark.parametrize("name", bytepair.names())
def test_soups(name):
    tok = bundled(name)
    reference = Reference(tok)

    @EXAMPLES
    @given(soups(sorted(tok.special_tokens)[:40]))
    def run(texts: list[str]) -> None:
        check(tok, reference, texts)
        tally.add(texts)

    with judging(name, REFERENCE, "soups of every class") as tally:
        run()


# ------------------------------------------------------------------ bytes that are no UTF-8

# Characters cut short, lone continuations, surrogates, overlong forms, beyond the last character.
BROKEN = [
    *[character.encode()[:cut] for character in "é中🌍" for cut in (1, 2, 3)],
    *[b"\x80", b"\xbf\xbf", b"\xed\xa0\x80", b"\xed\xa0\xbd\xed\xb8\x80", b"\xed\xbf\xbf"],
    *[b"\xc0\x80", b"\xc1\xbf", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xf0\x80\x80\x80"],
    *[b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xfe", b"\xff\xff"],
    *[b"\xf8\x88\x80\x80\x80", b"\xf0\x9f\x8c\xf0\x9f\x8c\x8d", b"\xe4\xb8\xe4\xb8\xad"],
]


def byte_forms(piece: bytes) -> list[bytes]:
    around = [b"a%sa", b"1%s1", b" %s ", b"\n%s\n", b"'%ss", "é%s中".encode(), b"%s\n\n", b"  %sZ"]
    return [piece, piece * 2, piece * 40, *(form % piece for form in around)]


def ill_formed() -> list[bytes]:
    """Each byte and each kind of broken sequence, by itself and among characters; random bytes."""
    random_bytes = random.Random(3)
    pieces = [bytes([byte]) for byte in range(256)] + BROKEN
    if EXHAUSTIVE:
        pieces += [first + second for first in BROKEN for second in BROKEN]
    return [
        *(form for piece in pieces for form in byte_forms(piece)),
        *(random_bytes.randbytes(size) for size in range(1, effort(60, most=1_000))),
    ]


@pytest.mark.parametrize("name", bytepair.names())
def test_ill_formed_bytes(name):
    tok = bundled(name)
    reference = Reference(tok)
    with judging(name, REFERENCE, "ill-formed bytes") as tally:
        check(tok, reference, ill_formed())
        tally.add(ill_formed())


@pytest.mark.parametrize("name", bytepair.names())
def test_ill_formed_bytes_in_soups(name):
    tok = bundled(name)
    reference = Reference(tok)
    broken = st.lists(st.one_of(st.sampled_from(BROKEN), st.binary(max_size=4)), min_size=1)

    @EXAMPLES
    @given(soups(), broken)
    def run(texts: list[str], broken: list[bytes]) -> None:
        between = itertools.cycle(broken)
        data = [
            b"".join(
                itertools.chain.from_iterable(zip(map(str.encode, text), between, strict=False))
            )
            for text in texts
        ]
        check(tok, reference, data)
        tally.add(data)

    with judging(name, REFERENCE, "ill-formed bytes in soups") as tally:
        run()
