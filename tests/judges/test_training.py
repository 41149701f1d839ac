"""Merges equal to the reference's under every rule for ties, on small corpora full of ties."""

from __future__ import annotations

import warnings

import pytest
from effort import effort
from hard_alphabets import pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from tally import judging

import bytepair
from bytepair.reference import NAMED, PatternTokenizer
from bytepair.reference.bpe import TIES

SPECIAL_TOKENS = ["<|a|>", "<|a|>>", "ab", "é中"]
PATTERNS = [*NAMED, None, r"[ab]+|\s+(?!\S)", ("qwen2", r"[ -~]{3}"), r"(?i:'s|k)|\p{Lu}?\p{Ll}+"]

# Few different letters make many ties; runs make pairs overlap; broken bytes are kept.
ALPHABETS = [
    "a",
    "ab",
    "ab ",
    "aab'sS \n",
    "aé中文 ",
    "abcdefgh ",
    "Kk\u212a'sſ ",
    "12 .\r\n",
    "<|a>éb中",
]
TEXTS = st.one_of(
    *[st.text(alphabet, max_size=40) for alphabet in ALPHABETS],
    st.builds(lambda letter, times: letter * times, st.sampled_from("a中\n "), st.integers(1, 60)),
    st.lists(st.sampled_from([*SPECIAL_TOKENS, "a", "b ", "中"]), max_size=12).map("".join),
    st.lists(pieces(), max_size=8).map("".join),
    st.text("ab", max_size=12).map(lambda text: (text + " ") * 3),
)
DATA = st.one_of(
    st.binary(max_size=20),
    st.lists(
        st.sampled_from([b"a", b"\xff", b"\xe4\xb8", "中".encode(), b"\xed\xa0\x80", b" "])
    ).map(b"".join),
)
OPTIONS = st.fixed_dictionaries(
    {
        "vocab_size": st.integers(260, 330),
        "pattern": st.sampled_from(PATTERNS),
        "special_tokens": st.lists(st.sampled_from(SPECIAL_TOKENS), unique=True),
        "special_first": st.booleans(),
        "min_count": st.sampled_from([1, 1, 1, 2, 5]),
        "max_token_length": st.sampled_from([None, None, 1, 2, 3, 4, 7]),
    }
)


@pytest.mark.parametrize("ties", TIES)
def test_as_in_the_reference(ties):
    @settings(max_examples=effort(100, most=2_000))
    @given(st.lists(st.one_of(TEXTS, DATA), max_size=6), OPTIONS, st.sampled_from([1, 2, 4]))
    def run(texts, options, threads):
        with warnings.catch_warnings():  # most of these corpora have few pairs
            warnings.simplefilter("ignore")
            expected = PatternTokenizer.train(texts, ties=ties, **options)
            tok = bytepair.train(texts, ties=ties, threads=threads, **options)
        assert tok.merges == expected.merges
        assert tok.vocab == expected.vocab
        assert tok.special_tokens == expected.special_tokens
        tally.add(texts)

    with judging(f'training with ties="{ties}"', "bytepair.reference", "small corpora") as tally:
        run()
