"""Encoding and decoding: by merges, by ranks, with special tokens, of any bytes; and the trace."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bytepair.reference import NAMED, PatternTokenizer, trace
from bytepair.reference.bpe import to_bytes
from bytepair.reference.tokenizer import by_merges, encode_pretoken
from bytepair.reference.trace import Done, Merge, Pretoken, Special, Text

BYTES = {bytes([byte]): byte for byte in range(256)}
CORPUS = ["the cat in the hat sat on the mat, the cat's hat; abcabc aaaa éé 中文中文 ..."]


@pytest.fixture(scope="module")
def small() -> PatternTokenizer:
    return PatternTokenizer.train(CORPUS, 290, special_tokens=["<|a|>", "<|a|>>", "é"])


TEXTS = st.one_of(
    st.text("thecats aén中\u0301<|>", max_size=40),
    st.text(max_size=20),
    st.lists(st.sampled_from([*CORPUS[0].split(), "<|a|>", ">", "é", " "])).map("".join),
)


@given(text=st.one_of(TEXTS, st.binary(max_size=30)))
def test_round_trip(small: PatternTokenizer, text: str | bytes) -> None:
    for allowed in ((), "all", ["é"]):
        ids = small.encode(text, allowed)
        assert small.decode_bytes(ids) == to_bytes(text)
        assert small.decode(ids) == to_bytes(text).decode(errors="replace")


@given(text=TEXTS, surrogates=st.text(st.characters(), max_size=5))
def test_ranks_agree_with_tiktoken(small: PatternTokenizer, text: str, surrogates: str) -> None:
    ranks = {token: number for number, token in small.vocab.items()}
    special = {"<|a|>": 300, "<|b|>": 301}
    ours = PatternTokenizer.from_ranks(ranks, special_tokens=special)
    judge = tiktoken.Encoding(
        "small", pat_str=NAMED["gpt2"][0], mergeable_ranks=ranks, special_tokens=special
    )
    text += surrogates
    assert ours.encode(text) == judge.encode_ordinary(text)
    assert ours.encode(text, "all") == judge.encode(text, allowed_special="all")


@given(text=TEXTS)
def test_ranks_and_merges_of_one_training_agree(small: PatternTokenizer, text: str) -> None:
    by_ranks = PatternTokenizer.from_ranks({token: n for n, token in small.vocab.items()})
    by_list = PatternTokenizer.from_merges(small.merges)
    assert by_ranks.encode(text) == by_list.encode(text) == small.encode(text)


@given(text=st.one_of(TEXTS, st.binary(max_size=30)))
def test_trace_ends_where_encode_does(small: PatternTokenizer, text: str | bytes) -> None:
    ids: list[int] = []
    tokens: list[bytes] = []
    data = b""
    for step in trace(small, text, "all"):
        match step:
            case Special(token, number):
                assert small.special_tokens[token.decode()] == number
                ids.append(number)
                data += token
            case Text(piece, normalized):
                assert piece == normalized
                data += piece
            case Pretoken(piece, whole):
                assert not whole
                tokens = [bytes([byte]) for byte in piece]
            case Merge(pair, rank, position, after):
                assert small.merges[rank] == pair
                assert pair == (tokens[position], tokens[position + 1])
                assert after == [*tokens[:position], b"".join(pair), *tokens[position + 2 :]]
                tokens = after
            case Done(final, numbers):
                assert final == tokens == [small.vocab[number] for number in numbers]
                ids += numbers
    assert ids == small.encode(text, "all")
    assert data == to_bytes(text)


def test_trace_shows_normalization_and_whole_lookup() -> None:
    tokenizer = PatternTokenizer.from_ranks(
        BYTES | {"é".encode(): 256}, normalization="nfc", special_tokens={"<s>": 300}
    )
    assert list(trace(tokenizer, "e\u0301<s>", ["<s>"])) == [
        Text("e\u0301".encode(), "é".encode()),
        Pretoken("é".encode(), True),
        Done(["é".encode()], [256]),
        Special(b"<s>", 300),
    ]


def test_the_lowest_rank_goes_first_and_of_equal_ones_the_leftmost() -> None:
    rank_of = by_merges([(b"a", b"a"), (b"aa", b"b"), (b"a", b"b")])
    assert encode_pretoken(b"aaab", rank_of) == [b"aa", b"ab"]
    assert encode_pretoken(b"aab", rank_of) == [b"aab"]
    assert encode_pretoken(b"", rank_of) == []


def test_whole_lookup_finds_what_no_merge_makes() -> None:
    by_ranks = PatternTokenizer.from_ranks(BYTES | {b"abcd": 256}, pattern="gpt2")
    assert by_ranks.encode("abcd") == [256]
    assert by_ranks.encode("abcde") == [97, 98, 99, 100, 101]
    vocab = dict(enumerate(BYTES)) | {256: b"abcd"}
    assert PatternTokenizer.from_merges([], vocab).encode("abcd") == [97, 98, 99, 100]
    assert PatternTokenizer.from_merges([], vocab, ignore_merges=True).encode("abcd") == [256]


def test_surrogates() -> None:
    tokenizer = PatternTokenizer.from_ranks(BYTES)
    assert bytes(tokenizer.encode("\ud83c\udf0d")) == "🌍".encode()
    assert bytes(tokenizer.encode("a\ud83cb\udf0d")) == "a\ufffdb\ufffd".encode()
    assert bytes(tokenizer.encode("\ufeff\ud800")) == "\ufeff\ufffd".encode()


@given(st.text(st.sampled_from("eE\u0301\u0323aA\u030a\u1100\u1161\u11a8\u212b "), max_size=20))
def test_normalization_is_nfc(text: str) -> None:
    tokenizer = PatternTokenizer.from_ranks(BYTES, normalization="nfc")
    assert bytes(tokenizer.encode(text)) == unicodedata.normalize("NFC", text).encode()


def test_normalization_leaves_ill_formed_bytes_and_special_tokens() -> None:
    tokenizer = PatternTokenizer.from_ranks(
        BYTES, normalization="nfc", special_tokens={"e\u0301": 300}
    )
    assert bytes(tokenizer.encode(b"e\xff\xcc\x81e\xcc\x81\xe4")) == b"e\xff\xcc\x81\xc3\xa9\xe4"
    assert tokenizer.encode("e\u0301\u0301", "all") == [300, *"\u0301".encode()]


def test_decode_joins_bytes_first() -> None:
    tokenizer = PatternTokenizer.from_ranks(BYTES, special_tokens={"<s>": 300})
    assert tokenizer.decode([0xE4, 0xBD, 0xA0]) == "你"
    assert tokenizer.decode([0xE4, 300, 0xBD]) == "\ufffd<s>\ufffd"
    with pytest.raises(ValueError, match=re.escape("no token has the id `299` (at position 1)")):
        tokenizer.decode([97, 299])


def test_allowed_special_must_be_known(small: PatternTokenizer) -> None:
    with pytest.raises(ValueError, match=re.escape("`<|zzz|>` is no special token")):
        small.encode("text", ["<|zzz|>"])


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: PatternTokenizer.from_ranks({b"a": 0}), "no token for the byte `0x00`"),
        (lambda: PatternTokenizer.from_ranks(BYTES | {b"ab": 97}), "the rank `97` of `b'a'`"),
        (lambda: PatternTokenizer.from_merges([(b"a", b"bc")]), "needs the token `b'bc'`"),
        (
            lambda: PatternTokenizer.from_merges([(b"a", b"b")], dict(enumerate(BYTES))),
            "needs the token `b'ab'`",
        ),
        (lambda: PatternTokenizer.from_merges([(b"a", b"b"), (b"a", b"b")]), "is listed twice"),
        (
            lambda: PatternTokenizer.from_merges([], dict(enumerate(BYTES)) | {256: b"a"}),
            "the token `b'a'` has two ids",
        ),
        (
            lambda: PatternTokenizer.from_ranks(BYTES, special_tokens={"<s>": 97}),
            "the id `97` of a special token is taken",
        ),
        (
            lambda: PatternTokenizer.from_ranks(BYTES, special_tokens={"<s>": 300, "<t>": 300}),
            "the id `300` of a special token is taken",
        ),
        (lambda: PatternTokenizer.from_ranks(BYTES, normalization="nfd"), "normalization `nfd`"),
        (lambda: PatternTokenizer.from_ranks(BYTES, pattern="(a"), "does not compile"),
        (lambda: PatternTokenizer.from_ranks(BYTES, pattern="o20k"), "did you mean `o200k`"),
    ],
)
def test_inconsistent_vocabularies(make: Callable[[], PatternTokenizer], named: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=re.escape(named)):
            make()
