"""What is shown of a token: safe, complete, and never the same for different bytes."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bytepair.view.pieces import (
    BLANKS,
    Kind,
    byte_length,
    printable,
    readable,
    summary,
    token_views,
    visible,
)


def shown(data: bytes) -> str:
    return "".join(span.text for span in readable(data))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ""),
        (b"word", "word"),
        (b" word", "·word"),
        (b"a\tb\r\n", "a→b␍⏎"),
        ("東".encode(), "東"),
        ("東".encode()[:2], r"\xe6\x9d"),
        ("東".encode()[1:] + b"a", r"\x9d\xb1a"),
        (b"\x00\x1b[31m\x7f", r"\x00\x1b[31m\x7f"),
        ("\x85\u200d\u202e\ufeff".encode(), r"\u0085\u200d\u202e\ufeff"),
        ("\u00a0\u3000".encode(), r"\u00a0\u3000"),
        ("\U000e0041".encode(), r"\U000e0041"),
        ("\U000e0100".encode(), r"\U000e0100"),
        ("❤\ufe0f".encode(), r"❤\ufe0f"),
        ("ㅤ".encode(), r"\u3164"),
        ("·→⏎␍◌│┆".encode(), r"\u00b7\u2192\u23ce\u240d\u25cc\u2502\u2506"),
        ("e\u0301".encode(), "e\u0301"),
        ("\u0301".encode(), "◌\u0301"),
        (" \u0301".encode(), "·◌\u0301"),
        (rb"\n", r"\n"),
        (rb"\x41 \\ \u", r"\\x41·\\\·\\u"),
        (b"\\\xe6", r"\\\xe6"),
        (b"\xed\xa0\x80", r"\xed\xa0\x80"),
    ],
)
def test_readable(data, expected):
    assert shown(data) == expected


def test_spans_say_what_they_are():
    spans = readable(b" ab\n\xe6\x9d")
    assert [(span.text, span.kind) for span in spans] == [
        ("·", Kind.BLANK),
        ("ab", Kind.TEXT),
        ("⏎", Kind.BLANK),
        (r"\xe6\x9d", Kind.ESCAPE),
    ]


def read_back(text: str) -> bytes:
    """The inverse of `readable`, by what its documentation says."""
    text = re.sub("◌(?=.)", "", text)
    escape = r"\\(\\)|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})"
    marks = {mark: blank for blank, mark in BLANKS.items()}

    def meant(match: re.Match[str]) -> str:
        backslash, byte, *numbers = match.groups()
        if backslash:
            return "\\"
        if byte:
            number = int(byte, 16)
            return chr(number if number < 0x80 else 0xDC00 + number)
        return chr(int(next(filter(None, numbers)), 16))

    plain = "".join(marks.get(c, c) for c in text)
    return re.sub(escape, meant, plain).encode("utf-8", "surrogateescape")


HARD = st.text(st.sampled_from("a \n\\xu0041·◌│\u0301\x1b\u200d東́🌍")).map(str.encode)


@given(HARD | st.text().map(str.encode) | st.binary())
def test_different_bytes_never_look_alike(data):
    assert read_back(shown(data)) == data


@given(st.binary() | st.text().map(str.encode))
def test_nothing_that_commands_a_terminal_comes_through(data):
    assert not {unicodedata.category(c)[0] for c in shown(data)} & {"C", "Z"}


def test_every_character_alone():
    first = {n: visible(chr(n), alone=True).text[:1] for n in range(0x110000)}
    unseen = [hex(n) for n, c in first.items() if not c or unicodedata.category(c)[0] in "CZM"]
    assert unseen == []


def test_views_of_ids(tokenizer):
    tok = tokenizer("<end>", "ab", special_tokens={"<end>": 0})
    views = list(token_views(tok, [1, 0, 2 + 0xE6]))
    assert [view.id for view in views] == [1, 0, 2 + 0xE6]
    assert [view.data for view in views] == [b"ab", b"<end>", b"\xe6"]
    assert [view.text for view in views] == ["ab", "<end>", r"\xe6"]
    assert [view.special for view in views] == [False, True, False]


def test_views_are_made_as_they_are_asked_for(tokenizer):
    views = token_views(tokenizer("a"), iter(lambda: 0, 1))  # ids without end
    assert next(views).text == "a"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain name.txt", "plain name.txt"),
        ("文件 名", "文件 名"),
        ("a\x1b[31m\nb", r"a\x1b[31m\x0ab"),
        ("stray\udcff", r"stray\xff"),
        ("\ud83c", r"\ud83c"),
        ("\u202etxt.exe", r"\u202etxt.exe"),
    ],
)
def test_printable(text, expected):
    assert printable(text) == expected


@pytest.mark.parametrize(
    ("text", "length"),
    [("", 0), ("aé東🌍", 10), (b"\xff\xff", 2), ("\ud83c\udf0d", 4), ("a\ud83c", 4), ("\udf0d", 3)],
)
def test_byte_length(text, length):
    assert byte_length(text) == length


def test_summary():
    assert summary("ab", 1) == "1 token, 2 bytes, 2.00 bytes per token"
    assert summary(b"x" * 1500, 1200) == "1,200 tokens, 1,500 bytes, 1.25 bytes per token"
    assert summary("", 0) == "0 tokens, 0 bytes"
