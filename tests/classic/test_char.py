"""Characters: a table of those that were seen, and the one of all."""

from __future__ import annotations

import sys

import pytest
from golden import FACTS
from hard_texts import ANY_TEXT, as_data
from hypothesis import given

import bytepair
from bytepair.classic import CharTokenizer, CodePointTokenizer

ALL = CodePointTokenizer()


def test_the_given_figures():
    assert ALL.encode(FACTS["utf"]["text"]) == FACTS["utf"]["codepoints"]
    sentence = FACTS["tokenizers_zh"]
    assert ALL.count(sentence["text"]) == sentence["by_character"]


@given(ANY_TEXT)
def test_a_token_is_a_character(text):
    characters = as_data(text).decode("utf-8", "replace")
    assert ALL.tokens(text) == list(characters) and ALL.decode(ALL.encode(text)) == characters
    tok = CharTokenizer.build([text])
    assert tok.unknowns(text) == [] and tok.decode(tok.encode(text)) == characters
    assert len(tok) == 1 + len(set(characters))


@given(ANY_TEXT)
def test_a_stream_cut_everywhere(text):
    """Inside characters of UTF-8, and between the halves of surrogate pairs."""
    pieces = [text[i : i + 1] for i in range(len(text))]
    assert list(ALL.encode_stream(pieces)) == ALL.encode(text)


def test_the_order_of_the_table():
    assert CharTokenizer.build(["cab", "bd"]).vocab == {
        id: token.encode() for id, token in enumerate(["<UNK>", "c", "a", "b", "d"])
    }
    assert CharTokenizer.build(["abcbc"], size=2).vocab == {0: b"<UNK>", 1: b"b", 2: b"c"}
    with pytest.raises(ValueError, match="size `0`"):
        CharTokenizer.build(["a"], size=0)


def test_what_was_not_seen():
    tok = CharTokenizer.build(["abc"])
    assert tok.encode("a犇b") == [1, 0, 2] and tok.decode([1, 0, 2]) == "a<UNK>b"
    assert tok.unknowns("犇a𰻝") == ["犇", "𰻝"] and tok.unknown_rate("犇a𰻝c") == 0.5


def test_a_table_of_other_things():
    with pytest.raises(bytepair.VocabError, match="`ab` is no single character"):
        CharTokenizer(["a", "ab"])
    with pytest.raises(bytepair.VocabError, match="`a` is given twice"):
        CharTokenizer(["a", "a"])


@pytest.mark.parametrize("id", [-1, 0xD800, 0xDFFF, sys.maxunicode + 1])
def test_the_number_of_no_character(id):
    with pytest.raises(bytepair.VocabError, match=f"`{id}`"):
        ALL.token_bytes(id)
