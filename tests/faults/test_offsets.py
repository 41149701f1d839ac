"""Faults in offsets: past the end of the text, drifting after what changes lengths, not defined."""

from __future__ import annotations

import functools

import pytest
from effort import effort
from hard_texts import ANY_TEXT, as_data, normalizing, trained
from hypothesis import given, settings

import bytepair
from bytepair import Tokenizer

load = functools.cache(bytepair.load)
Spans = list[tuple[int, int]]


def check_spans(spans: Spans, length: int) -> None:
    """Monotone, inside the text, and nothing of it left out."""
    assert all(0 <= start <= end <= length for start, end in spans)
    assert [*spans] == sorted(spans)
    covered = 0
    for start, end in spans:
        assert start <= covered
        covered = max(covered, end)
    assert covered == length


# ------------------------------------------------------------------ O01: parts of characters


def test_O01_parts_of_a_character_have_the_whole_of_it() -> None:
    tok = Tokenizer.from_merges([])
    assert tok.offsets("i ⭢ j") == [(0, 1), (1, 2), (2, 3), (2, 3), (2, 3), (3, 4), (4, 5)]
    assert tok.offsets("i ⭢ j", unit="byte") == [(at, at + 1) for at in range(7)]
    assert load("gpt2").offsets("i ⭢ j") == [(0, 1), (1, 3), (2, 3), (2, 3), (3, 5)]


@settings(max_examples=effort(100))
@given(text=ANY_TEXT)
def test_O01_spans_rise_and_cover_the_text(text: str | bytes) -> None:
    for tok in (trained("gpt2"), trained("o200k"), load("cl100k_base")):
        for given_text in (text, as_data(text)):
            data = as_data(given_text)
            length = (
                len(given_text)
                if isinstance(given_text, str)
                else len(data.decode(errors="replace"))
            )
            ids = tok.encode(given_text, allowed_special="all")
            chars = tok.offsets(given_text, allowed_special="all")
            places = tok.offsets(given_text, unit="byte", allowed_special="all")
            assert len(chars) == len(places) == len(ids)
            check_spans(chars, length)
            check_spans(places, len(data))
            assert [data[start:end] for start, end in places] == [tok.token_bytes(id) for id in ids]


# ------------------------------------------------------------------ O03: lengths that change

CHANGING = [
    "nai\u0308ve cafe\u0301 x",
    "hello",
    "a\x00\x07 … \u2026b",
    "\u0041\u030a\u212b \u1112\u1161\u11ab \u0958",
    "a<|a|>b<|a|> e\u0301<|a|>",
]


@pytest.mark.parametrize("text", CHANGING)
def test_O03_spans_are_those_of_the_text_as_given(text: str) -> None:
    for tok in (
        normalizing(),
        load("qwen3"),
        trained("gpt2"),
        load("cl100k_base"),
    ):
        ids = tok.encode(text, allowed_special="all")
        spans = tok.offsets(text, allowed_special="all")
        check_spans(spans, len(text))
        assert (spans[0][0], len(spans)) == (0, len(ids))
        for id, (start, end) in zip(ids, spans, strict=True):
            token = tok.token_bytes(id).decode(errors="ignore")
            assert token in tok.normalize(text[start:end])
    assert load("gpt2").offsets("hello") == [(0, 5)]


# ------------------------------------------------------------------ O04: bytes that are no text


def test_O04_ill_formed_bytes_have_places_too() -> None:
    tok = Tokenizer.from_merges([(b"b", b"\xe6")])
    assert tok.offsets(b"\xc3") == [(0, 1)]
    assert tok.offsets(b"\xc3", unit="byte") == [(0, 1)]
    # `b` and the first byte of 東 are one token: from where `b` starts to where the letter ends.
    data = "ab東".encode()
    assert tok.offsets(data, unit="byte") == [(0, 1), (1, 3), (3, 4), (4, 5)]
    assert tok.offsets(data) == [(0, 1), (1, 3), (2, 3), (2, 3)]
    assert tok.offsets(b"\xf0\x9f\x8cx\x80") == [(0, 1), (0, 1), (0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "qwen3", "deepseek_v3"])
def test_O04_no_bytes_raise(name: str) -> None:
    tok = load(name)
    data = bytes(range(256)) * 2 + b"\xc3" + "é".encode()[:1]
    for start in range(0, 256, 5):
        part = data[start:]
        check_spans(tok.offsets(part), len(part.decode(errors="replace")))
        check_spans(tok.offsets(part, unit="byte"), len(part))
