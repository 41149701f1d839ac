"""Bytes: a table that holds everything."""

from __future__ import annotations

import pytest
from golden import FACTS
from hard_texts import ANY_TEXT, as_data
from hypothesis import given

import bytepair
from bytepair.classic import ByteTokenizer

TOK = ByteTokenizer()


def test_the_given_figures():
    facts = FACTS["utf"]
    assert TOK.count(facts["text"]) == facts["utf8_bytes"]
    assert TOK.encode("世") == facts["utf8_of_世"] and TOK.encode("🌍") == facts["utf8_of_🌍"]


@given(ANY_TEXT)
def test_an_id_is_a_byte_and_nothing_is_lost(text):
    data = as_data(text)
    assert TOK.encode(text) == list(data) and TOK.decode_bytes(list(data)) == data
    assert TOK.unknowns(text) == [] and TOK.unknown_rate(text) == 0


@given(ANY_TEXT)
def test_a_stream_cut_everywhere(text):
    assert list(TOK.encode_stream(text[i : i + 1] for i in range(len(text)))) == TOK.encode(text)


def test_the_table():
    assert len(TOK) == 256 == len(TOK.vocab)
    assert all(TOK.token_bytes(id) == bytes([id]) for id in range(256))
    assert TOK.tokens("é!") == ["<0xC3>", "<0xA9>", "!"]


@pytest.mark.parametrize("id", [-1, 256])
def test_no_byte(id):
    with pytest.raises(bytepair.VocabError, match=f"no byte is `{id}`"):
        TOK.token_bytes(id)


def test_part_of_a_character():
    assert TOK.decode([0xE4, 0xB8]) == "\ufffd"
    with pytest.raises(UnicodeDecodeError):
        TOK.decode([0xE4, 0xB8], errors="strict")
