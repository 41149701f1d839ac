"""Texts cut to a number of tokens: the longest part that fits, and pieces that each fit."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hard_texts import ANY_TEXT, CORPUS, TEXTS, as_data, normalizing, trained
from hypothesis import given
from hypothesis import strategies as st

from bytepair import Tokenizer
from bytepair.pattern import named_patterns

TOKENIZERS = ["gpt2", "o200k", "deepseek_v3", "nfc", "no pattern", "own pattern", "over bytes"]
TOKENIZERS += ["prefix space", "nfc and prefix space", "prefix space, no pattern"]


def tokenizer(name: str) -> Tokenizer:
    if name == "nfc":
        return normalizing()
    if "prefix space" in name:
        return Tokenizer.from_merges(
            trained("gpt2").merges,
            pattern=None if name.endswith("no pattern") else "gpt2",
            normalization="nfc+prefix_space" if name.startswith("nfc") else "prefix_space",
        )
    if name == "over bytes":
        pattern = (*named_patterns()["gpt2"], r"(?#byte alphabet)\p{N}|[À-ÿ]")
        return Tokenizer.from_merges(trained("gpt2").merges, pattern=pattern)
    if name in ("no pattern", "own pattern"):
        pattern = None if name == "no pattern" else r"[a-z]+(?=\d)|\w+|\s+$"
        return Tokenizer.from_merges(trained("gpt2").merges, pattern=pattern)
    return trained(name)


def edges(text: bytes) -> list[int]:
    """Where characters start and end; an ill-formed subsequence counts as one."""
    places, at = [0], 0
    while at < len(text):
        try:
            text[at:].decode()
            bad = len(text)
        except UnicodeDecodeError as error:
            bad = at + error.start
            after = at + error.end
        for character in text[at:bad].decode():
            places.append(places[-1] + len(character.encode()))
        at = bad
        if bad < len(text):
            places.append(after)
            at = after
    return places


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=ANY_TEXT, max_tokens=st.integers(0, 12))
def test_the_longest_prefix_and_suffix(name: str, text: str | bytes, max_tokens: int) -> None:
    tok, data = tokenizer(name), as_data(text)
    places = edges(data)
    prefix = max(at for at in places if tok.count(data[:at]) <= max_tokens)
    suffix = min(at for at in places if tok.count(data[at:]) <= max_tokens)
    assert as_data(tok.truncate(text, max_tokens)) == data[:prefix]
    assert as_data(tok.truncate(text, max_tokens, "left")) == data[suffix:]
    assert type(tok.truncate(text, max_tokens)) is type(text)


def test_the_count_may_fall_where_the_text_grows() -> None:
    tok = Tokenizer.from_merges([(b"b", b"c"), (b"a", b"bc")], pattern=None)
    assert [tok.count("abc"[:length]) for length in range(4)] == [0, 1, 2, 1]
    assert tok.truncate("abcd", 1) == "abc"
    assert tok.truncate("dabc", 1, "left") == "abc"


def test_a_character_is_kept_whole_or_not_at_all() -> None:
    tok = Tokenizer.from_merges([], pattern=None)
    assert tok.truncate("a🌍b", 4) == "a"
    assert tok.truncate("a🌍b", 5) == "a🌍"
    assert tok.truncate("a🌍b", 4, "left") == "b"
    assert tok.truncate("🌍", 3) == tok.truncate("🌍", 0) == ""
    assert tok.truncate(b"a\xf0\x9f\x8cb", 3) == b"a"


@pytest.mark.parametrize("name", TOKENIZERS)
@given(
    text=TEXTS, max_tokens=st.integers(0, 12), mark=st.sampled_from(["…", "", " [cut] ", "aaaa"])
)
def test_the_middle_is_cut_around_a_mark(name: str, text: str, max_tokens: int, mark: str) -> None:
    tok = tokenizer(name)
    kept = tok.truncate(text, max_tokens, "middle", mark=mark)
    assert tok.count(kept) <= max_tokens
    if tok.count(text) <= max_tokens:
        assert kept == text
    elif tok.count(mark) > max_tokens:
        assert kept == tok.truncate(text, max_tokens)
    else:
        cuts = [at for at in range(len(kept) + 1) if kept[at:].startswith(mark)]
        assert any(
            text.startswith(kept[:at]) and text.endswith(kept[at + len(mark) :]) for at in cuts
        )


def test_the_middle_keeps_both_ends() -> None:
    tok, text = trained("gpt2"), "".join(CORPUS)
    head, tail = tok.truncate(text, 41, "middle").split("…", 1)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert 12 <= tok.count(head) <= 20
    assert 12 <= tok.count(tail) <= 20


def test_truncate_takes_what_makes_sense() -> None:
    tok = trained("gpt2")
    with pytest.raises(ValueError, match="max_tokens `-1`: at least 0"):
        tok.truncate("x", -1)
    with pytest.raises(ValueError, match=r'side `top`: one of "right", "left", "middle"'):
        tok.truncate("x", 1, "top")  # type: ignore[call-overload, type-var, arg-type]
    with pytest.raises(TypeError, match="expected text"):
        tok.truncate(7, 1)  # type: ignore[type-var]


# ------------------------------------------------------------------ chunks


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=ANY_TEXT, max_tokens=st.integers(4, 12))
def test_pieces_joined_are_the_text(name: str, text: str | bytes, max_tokens: int) -> None:
    tok, data = tokenizer(name), as_data(text)
    try:
        pieces = tok.chunks(text, max_tokens)
    except ValueError as error:  # a character alone has more tokens
        widest = max(tok.count(data[a:b]) for a, b in pairwise(edges(data)))
        assert widest > max_tokens, error
        return
    assert b"".join(map(as_data, pieces)) == data
    assert all(0 < tok.count(piece) <= max_tokens for piece in pieces)
    places, at = set(edges(data)), 0
    for piece in pieces:
        assert at in places
        at += len(as_data(piece))
        assert type(piece) is type(text)


@pytest.mark.parametrize("overlap", [1, 3, 10])
def test_overlapping_pieces_go_back_that_far(overlap: int) -> None:
    # No two places of it are alike, so that what two pieces share can be told.
    tok, text = trained("gpt2"), " ".join(f"word{number}, the" for number in range(200))
    pieces = tok.chunks(text, 40, overlap)
    assert len(pieces) > 10
    done = len(pieces[0])
    assert text.startswith(pieces[0])
    for before, piece in pairwise(pieces):
        shared = max(n for n in range(len(piece)) if text.startswith(piece, done - n))
        assert tok.count(before[len(before) - shared :]) <= overlap
        done += len(piece) - shared
        assert tok.count(piece) <= 40
    assert done == len(text)
    assert len(pieces) >= len(tok.chunks(text, 40))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("aa bb\n\ncc dd\nee ff", ["aa bb\n\n", "cc dd\nee ff"]),
        ("aa bb cc\ndd ee ff", ["aa bb cc\n", "dd ee ff"]),
        ("aa bb cc. dd ee ff", ["aa bb cc.", " dd ee ff"]),
        ("aaa bbb ccc ddd", ["aaa bbb ccc", " ddd"]),
        ("aaaaaaaaaaaaaaa", ["aaaaaaaaaaaa", "aaa"]),
    ],
)
def test_cuts_where_it_hurts_least(text: str, pieces: list[str]) -> None:
    tok = Tokenizer.from_merges([], pattern=None)
    assert tok.chunks(text, 12) == pieces


def test_chunks_take_what_makes_sense() -> None:
    tok = Tokenizer.from_merges([], pattern=None)
    assert tok.chunks("", 5) == []
    with pytest.raises(ValueError, match=r"`🌍`|4 tokens|max_tokens"):
        tok.chunks("ab🌍", 3)
    for max_tokens, overlap in ((0, 0), (-1, 0), (5, -1), (5, 5)):
        with pytest.raises(ValueError, match=r"max_tokens|overlap"):
            tok.chunks("abc", max_tokens, overlap)
