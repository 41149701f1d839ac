"""The account of a text in the three encodings of Unicode."""

from __future__ import annotations

from golden import FACTS
from hypothesis import given
from hypothesis import strategies as st

from bytepair.classic import CharTokenizer, CodePointTokenizer, unicode_forms


def test_the_given_figures():
    facts = FACTS["utf"]
    forms = unicode_forms(facts["text"])
    assert forms.characters == facts["characters"] and forms.utf8_bytes == facts["utf8_bytes"]
    assert forms.utf16_bytes_with_mark == facts["utf16_bytes_with_bom"]
    assert forms.utf32_bytes_with_mark == facts["utf32_bytes_with_bom"]
    assert list(forms.code_points) == facts["codepoints"]


def test_chinese_is_smaller_in_utf16():
    forms = unicode_forms(FACTS["tokenizers_zh"]["text"])
    assert (forms.utf8_bytes, forms.utf16_bytes, forms.smallest) == (33, 22, "UTF-16")
    assert unicode_forms("hello").smallest == unicode_forms("").smallest == "UTF-8"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_as_python_encodes(text):
    forms = unicode_forms(text)
    assert forms.utf8_bytes == len(text.encode())
    assert forms.utf16_bytes_with_mark == len(text.encode("utf-16"))
    assert forms.utf32_bytes_with_mark == len(text.encode("utf-32"))
    assert forms.utf16_units == len(text) + sum(character > "\uffff" for character in text)


def test_the_size_of_a_table_of_characters():
    tok = CharTokenizer.build(["abca", "ab"], size=2)
    assert tok.vocab == {0: b"<UNK>", 1: b"a", 2: b"b"} and tok.unknowns("abc") == ["c"]
    assert len(CodePointTokenizer()) == 1_112_064
