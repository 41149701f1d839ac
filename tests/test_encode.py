"""Text → ids: what the rules say, what the reference says, what tiktoken says."""

from __future__ import annotations

import numpy as np
import pytest
import tiktoken
from effort import effort
from hard_texts import (
    ANY_TEXT,
    BROKEN_TEXTS,
    DATA,
    FRAGMENTS,
    NAMES,
    SPECIAL_TOKENS,
    TEXTS,
    as_data,
    normalizing,
    reference,
    trained,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from bytepair import Tokenizer
from bytepair.pattern import named_patterns

BYTES = {bytes([byte]): byte for byte in range(256)}


@pytest.fixture(scope="module")
def low() -> Tokenizer:
    """`l` + `o` first, then `lo` + `w`; no pattern."""
    return Tokenizer.from_merges([(b"l", b"o"), (b"lo", b"w")], pattern=None)


# ------------------------------------------------------------------ the rules


def test_bytes_then_merges_by_rank(low: Tokenizer) -> None:
    assert low.encode("low") == [257]
    assert low.encode("lo") == [256]
    assert low.encode("slower") == [115, 257, 101, 114]
    assert low.encode("") == low.encode(b"") == []


def test_the_lowest_rank_goes_first_and_of_equal_ones_the_leftmost() -> None:
    tok = Tokenizer.from_merges([(b"b", b"c"), (b"a", b"b"), (b"a", b"a")], pattern=None)
    assert tok.encode("abc") == [97, 256]
    assert tok.encode("aaa") == [258, 97]
    assert tok.encode("aab") == [97, 257]


def test_a_merge_needs_its_own_pair_not_only_its_bytes() -> None:
    merges = [(b"a", b"b"), (b"b", b"c"), (b"a", b"bc")]
    assert Tokenizer.from_merges(merges, pattern=None).encode("abc") == [256, 99]
    ranks = BYTES | {b"ab": 256, b"bc": 257, b"abc": 258}
    assert Tokenizer.from_ranks(ranks, pattern=None).encode("abcd") == [258, 100]


def test_by_ranks_a_pretoken_that_is_a_token_is_that_token() -> None:
    ranks = BYTES | {b"abcd": 256}
    tok = Tokenizer.from_ranks(ranks, pattern="gpt2")
    assert tok.encode("abcd") == [256]
    assert tok.encode("abcde") == [97, 98, 99, 100, 101]


def test_ignore_merges_finds_tokens_that_no_merge_makes() -> None:
    vocab = {byte: token for token, byte in BYTES.items()} | {256: b"abcd"}
    assert Tokenizer.from_merges([], vocab=vocab).encode("abcd") == [97, 98, 99, 100]
    assert Tokenizer.from_merges([], vocab=vocab, ignore_merges=True).encode("abcd") == [256]


def test_nothing_merges_across_pretokens() -> None:
    merges = [(b" ", b"a"), (b"b", b" a")]
    assert Tokenizer.from_merges(merges, pattern=None).encode("b a") == [257]
    assert Tokenizer.from_merges(merges, pattern="gpt2").encode("b a") == [98, 256]


def test_str_and_bytes_mean_the_same(low: Tokenizer) -> None:
    assert low.encode("lé") == low.encode("lé".encode()) == [108, 195, 169]
    assert low.encode(bytearray(b"low")) == low.encode(memoryview(b"low")) == [257]
    assert low.encode(memoryview(b"woxl")[::-1]) == low.encode(b"lxow")


class Str(str):
    __slots__ = ()


def test_a_subclass_of_str_is_text(low: Tokenizer) -> None:
    assert low.encode(Str("low")) == [257]


@pytest.mark.parametrize("text", [None, 1, 1.5, ["low"], {"low": 1}, object()])
@pytest.mark.parametrize("call", ["encode", "count", "offsets", "pretokens", "encode_to_numpy"])
def test_what_is_no_text_is_a_type_error(low: Tokenizer, call: str, text: object) -> None:
    with pytest.raises(TypeError, match=r"expected text \(`str` or `bytes`\)"):
        getattr(low, call)(text)


# ------------------------------------------------------------------ surrogates, ill-formed bytes


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("\ud83c\udf0d", "🌍"),
        ("a\ud83c\udf0db", "a🌍b"),
        ("\ud83c", "\ufffd"),
        ("\udf0d", "\ufffd"),
        ("a\udf0d\ud83cb", "a\ufffd\ufffdb"),
        ("\ud83c\ud83c\udf0d", "\ufffd🌍"),
    ],
)
def test_surrogates_are_joined_or_replaced_in_every_call(text: str, same_as: str) -> None:
    tok = trained("cl100k")
    ids = tok.encode(same_as)
    assert tok.encode(text) == ids
    assert tok.encode_to_numpy(text).tolist() == ids
    assert tok.encode_batch([text, "x"])[0] == ids
    assert tok.encode_batch_to_numpy([text]).ids.tolist() == ids
    assert list(tok.encode_stream([text])) == ids
    assert list(tok.encode_stream(text[i] for i in range(len(text)))) == ids
    assert tok.count(text) == len(ids)
    assert tok.count_batch([text]).tolist() == [len(ids)]
    assert tok.fits(text, len(ids))
    assert not tok.fits(text, len(ids) - 1)
    assert len(tok.offsets(text)) == len(ids)
    assert tok.offsets(text, unit="byte") == tok.offsets(same_as, unit="byte")
    assert tok.pretokens(text) == tok.pretokens(same_as)
    assert tok.normalize(text) == same_as
    assert tok.chunks(text, 100) == tok.chunks(same_as, 100)
    assert tok.truncate(text, 100) in (text, same_as)
    assert tok.encode(tok.truncate(text, 1)) == tok.encode(tok.truncate(same_as, 1))


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"\xff", "\ufffd"),
        (b"a\x80b", "a\ufffdb"),
        (b"\xf0\x9f\x8c", "\ufffd"),
        (b"\xf0\x9f\x8c\xf0\x9f\x8c\x8d", "\ufffd🌍"),
        (b"\xed\xa0\xbc", "\ufffd\ufffd\ufffd"),
        (b"\xc0\xaf", "\ufffd\ufffd"),
        (b" \xe4\xb8 x", " \ufffd x"),
    ],
)
def test_ill_formed_bytes_are_cut_as_u_fffd_and_kept(data: bytes, shown: str) -> None:
    for name in NAMES:
        tok = trained(name)
        ids = tok.encode(data)
        assert tok.decode_bytes(ids) == data
        assert tok.decode(ids) == shown
        assert [piece.decode(errors="replace") for piece in tok.pretokens(data)] == [
            piece.decode() for piece in tok.pretokens(shown)
        ]
        assert tok.encode_to_numpy(data).tolist() == ids
        assert tok.encode_batch([data]) == [ids]
        assert list(tok.encode_stream([data])) == ids
        assert list(tok.encode_stream(data[i : i + 1] for i in range(len(data)))) == ids
        assert tok.count(data) == tok.count_batch([data])[0] == len(ids)
        assert tok.fits(data, len(ids))
        spans = tok.offsets(data, unit="byte")
        assert b"".join(data[start:end] for start, end in spans) == data
        assert tok.normalize(data) == shown
        assert b"".join(tok.chunks(data, 100)) == data
        assert tok.truncate(data, 100) == data


# ------------------------------------------------------------------ for any text


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS)
def test_decoding_gives_the_text(name: str, text: str) -> None:
    tok = trained(name)
    assert tok.decode(tok.encode(text)) == text
    assert tok.decode(tok.encode(text, allowed_special="all")) == text


@pytest.mark.parametrize("name", NAMES)
@given(text=st.one_of(BROKEN_TEXTS, DATA))
def test_decoding_gives_the_bytes(name: str, text: str | bytes) -> None:
    tok = trained(name)
    assert tok.decode_bytes(tok.encode(text)) == as_data(text)
    assert tok.decode(tok.encode(text)) == as_data(text).decode(errors="replace")


@pytest.mark.parametrize("name", NAMES)
@given(text=ANY_TEXT)
def test_every_call_agrees(name: str, text: str | bytes) -> None:
    tok = trained(name)
    ids = tok.encode(text)
    array = tok.encode_to_numpy(text)
    assert (array.dtype, array.ndim, array.tolist()) == (np.uint32, 1, ids)
    assert tok.count(text) == len(ids)
    assert tok.fits(text, len(ids))
    assert not ids or not tok.fits(text, len(ids) - 1)
    assert b"".join(tok.pretokens(text)) == as_data(text)
    assert all(tok.token_bytes(id) for id in ids)


@pytest.mark.parametrize("name", NAMES)
@given(text=ANY_TEXT)
def test_the_reference_gives_the_same(name: str, text: str | bytes) -> None:
    tok, slow = trained(name), reference(trained(name))
    assert tok.encode(text) == slow.encode(text)
    assert tok.encode(text, allowed_special="all") == slow.encode(text, "all")


@given(text=ANY_TEXT)
def test_the_reference_normalizes_alike(text: str | bytes) -> None:
    tok, slow = normalizing(), reference(normalizing())
    assert tok.encode(text) == slow.encode(text)
    assert tok.encode(text, allowed_special="all") == slow.encode(text, "all")


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k"])
@given(text=st.one_of(TEXTS, BROKEN_TEXTS))
def test_tiktoken_gives_the_same(name: str, text: str) -> None:
    tok = trained(name)
    # Of two special tokens that begin alike tiktoken takes either, by the order of a hash table.
    special = {token: id for token, id in tok.special_tokens.items() if token != "<|a|>"}
    judge = tiktoken.Encoding(
        name,
        pat_str=named_patterns()[name][0],
        mergeable_ranks={token: id for id, token in tok.vocab.items()},
        special_tokens=special,
    )
    assert tok.encode(text) == judge.encode_ordinary(text)
    allowed = tok.encode(text, allowed_special=set(special))
    assert allowed == judge.encode(text, allowed_special="all")


@pytest.mark.parametrize("name", NAMES)
@given(text=ANY_TEXT)
def test_by_ranks_and_by_merges_agree_for_what_training_gives(name: str, text: str) -> None:
    tok = trained(name)
    ranks = {token: id for id, token in tok.vocab.items()}
    assert Tokenizer.from_ranks(ranks, pattern=name).encode(text) == tok.encode(text)


@settings(max_examples=effort(30))
@given(text=st.text("ab", min_size=40, max_size=3000))
def test_long_pretokens(text: str) -> None:
    """Where the encoder takes another way than for short ones."""
    merges = [(b"a", b"b"), (b"b", b"a"), (b"ab", b"a"), (b"ab", b"ab"), (b"a", b"a")]
    tok = Tokenizer.from_merges(merges, pattern=None)
    assert tok.encode(text) == reference(tok).encode(text)


@pytest.mark.parametrize("name", NAMES)
def test_the_cache_never_changes_a_result(name: str) -> None:
    tok = trained(name)
    tok.clear_cache()
    first = [tok.encode(text) for text in FRAGMENTS]
    assert [tok.encode(text) for text in FRAGMENTS] == first
    tok.clear_cache()
    assert [tok.encode(text) for text in reversed(FRAGMENTS)] == first[::-1]


# ------------------------------------------------------------------ counting


def test_count_never_raises_on_special_text() -> None:
    tok = trained("gpt2")
    text = "x".join(SPECIAL_TOKENS)
    assert tok.count(text) == len(tok.encode(text))
    assert tok.count(text, allowed_special="all") == 5
    assert tok.count(text, allowed_special=["<|a|>"]) == len(
        tok.encode(text, allowed_special=["<|a|>"])
    )


def test_count_batch() -> None:
    tok = trained("gpt2")
    texts = ["", "the cat", b"\xff", "<|a|>"]
    counts = tok.count_batch(texts)
    assert (counts.dtype, counts.shape) == (np.int64, (4,))
    assert counts.tolist() == [len(tok.encode(text)) for text in texts]
    assert tok.count_batch(iter(texts), allowed_special="all")[3] == 1
    assert tok.count_batch([]).shape == (0,)


def test_fits_stops_early(low: Tokenizer) -> None:
    assert low.fits("", 0)
    assert not low.fits("x", 0)
    assert low.fits("low" * 10, 10)
    assert not low.fits("low" * 10, 9)
    with pytest.raises(ValueError, match="max_tokens `-1`"):
        low.fits("x", -1)
