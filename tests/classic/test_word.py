"""Words by white space and by Unicode's rules."""

from __future__ import annotations

import sys
import time
from functools import cache

import pytest
import regex
import uniseg.emoji
import uniseg.wordbreak
from hypothesis import given
from hypothesis import strategies as st

import bytepair
from bytepair.classic import WordTokenizer
from bytepair.classic.word import unicode_words
from bytepair.texts import parallel, read

HARD = "aé1.,':_ \u200d\r\n\u0301\u05d0\"カあ漢👍🏽🇨🇳👨\u00ad\u3000-한\u2060ーﾞก\u0e33"


def test_the_most_frequent_are_kept():
    tok = WordTokenizer.build(["b a b", "c a b d"], size=2)
    assert len(tok) == 3 and [tok.token_bytes(id) for id in (1, 2)] == [b"b", b"a"]
    assert tok.encode("a b c") == [2, 1, 0] and tok.unknowns("a b c d") == ["c", "d"]
    assert WordTokenizer.build(["x y", "y x z"], size=2).vocab == {0: b"<UNK>", 1: b"x", 2: b"y"}
    assert len(WordTokenizer.build(["a b"], size=0)) == 1


def test_white_space_of_every_kind():
    tok = WordTokenizer.build(["a\u3000b\u2003c\n\td"])
    assert tok.tokens("a\u3000b\u2003c\n\td") == ["a", "b", "c", "d"]
    assert tok.decode(tok.encode("a \n b")) == "a b"
    assert tok.tokens("") == tok.tokens(" \n") == []


def test_what_is_refused():
    with pytest.raises(ValueError, match="by `line`"):
        WordTokenizer.build(["a"], by="line")
    with pytest.raises(ValueError, match="size `-1`"):
        WordTokenizer.build(["a"], size=-1)


@cache
def same_class(character: str) -> bool:
    """Whether both libraries have one opinion of a character: their Unicode versions differ."""
    name = uniseg.wordbreak.word_break(character).value
    picture = uniseg.emoji.extended_pictographic(character)
    return (
        regex.match(rf"\p{{WB={name}}}", character) is not None
        and (regex.match(r"\p{ExtPict}", character) is not None) == picture
    )


CHARACTERS = st.characters(exclude_categories=["Cs"]).filter(same_class)


@given(st.text(alphabet=HARD, max_size=14) | st.text(CHARACTERS, max_size=14))
def test_unicode_words_are_those_of_another_library(text):
    assert unicode_words()(text) == list(uniseg.wordbreak.words(text))


@pytest.mark.parametrize("language", ["English", "Thai", "Hindi", "Japanese", "Arabic, Standard"])
def test_on_real_text(language):
    text = parallel()[language]
    assert unicode_words()(text) == list(uniseg.wordbreak.words(text))


@given(st.text("🇩🇪a\u0308\u200d👩.", max_size=30))
def test_runs_of_flags(text):
    assert unicode_words()(text) == list(uniseg.wordbreak.words(text))


def test_a_long_run_of_flags_takes_linear_time():
    """To go back to its start from each place would be 10^10 steps: minutes."""
    start = time.process_time()
    assert unicode_words()("🇩🇪" * 50_000) == ["🇩🇪"] * 50_000
    assert time.process_time() - start < 10


def test_the_name_says_how_words_are_cut(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("Dogs, cats!\r\n", encoding="utf-8")
    assert bytepair.load(f"word:{path}").tokens("cats, dogs") == ["cats,", "dogs"]
    tok = bytepair.load(f"word-unicode:{path}")
    assert tok.by == "unicode" and tok.lossless
    assert tok.decode(tok.encode("cats, Dogs\r\n")) == "cats, Dogs\r\n"
    with pytest.raises(bytepair.UnknownNameError, match="unknown tokenizer `word-line:x`"):
        bytepair.load("word-line:x")


@given(st.text(alphabet=HARD, max_size=20))
def test_nothing_is_left_out(text):
    assert "".join(unicode_words()(text)) == text


def test_held_out_text_has_unknown_words():
    text = read("corpus.en")
    tok = WordTokenizer.build([text[:100_000]], size=5_000)
    assert tok.unknown_rate(text[:1000]) < 0.1 < tok.unknown_rate(text[100_000:])


def test_without_the_library_the_extra_is_named(monkeypatch):
    unicode_words.cache_clear()
    monkeypatch.setitem(sys.modules, "regex", None)
    with pytest.raises(bytepair.BytepairError, match=r"bytepair\[classic\]"):
        WordTokenizer.build(["a"], by="unicode")
