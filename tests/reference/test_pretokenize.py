"""Cutting: what stands between matches, ill-formed bytes, stages, names, special tokens."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex
from tokenizers.pre_tokenizers import Sequence, Split

from bytepair.reference import NAMED, split, split_special
from bytepair.reference.pretokenize import decode_marked, encode_marked, stages

DATA = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=20).map(str.encode),
    st.lists(st.sampled_from([b"a", b" ", b"\xff", b"\xe4\xb8", b"\xf0\x9f", b"'s", b"12"])).map(
        b"".join
    ),
)
PATTERNS = [*NAMED, None, "x*", "[0-9]", r"\s+$|.", ("[a-z]+", r"\s", "(?<= )1")]


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=DATA)
def test_coverage(pattern: str | tuple[str, ...] | None, data: bytes) -> None:
    pretokens = split(pattern, data)
    assert b"".join(pretokens) == data
    assert b"" not in pretokens


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=DATA)
def test_ill_formed_bytes_behave_as_replacement_characters(
    pattern: str | tuple[str, ...] | None, data: bytes
) -> None:
    replaced = split(pattern, data.decode(errors="replace").encode())
    shown = [pretoken.decode(errors="replace") for pretoken in split(pattern, data)]
    assert shown == [pretoken.decode() for pretoken in replaced]


@given(DATA)
def test_marks_are_one_for_each_ill_formed_run(data: bytes) -> None:
    marked = decode_marked(data)
    assert len(marked) == len(data.decode(errors="replace"))
    assert b"".join(encode_marked(list(marked), data)) == data


@pytest.mark.parametrize("name", ["deepseek_v3", "llama3", "qwen2", "o200k"])
@given(
    text=st.text(
        st.one_of(
            st.sampled_from(" \t\n\r'sStTlLzZ0129.,!-中文かカー一龥\u0301éÉ½٣€🌍"),
            st.characters(exclude_categories=["Cs", "Cn", "Co"]),
        ),
        max_size=40,
    )
)
def test_stages_agree_with_hugging_face(name: str, text: str) -> None:
    judge = Sequence([Split(Regex(stage), "isolated") for stage in NAMED[name]])
    expected = [piece for piece, _ in judge.pre_tokenize_str(text)]
    assert [pretoken.decode() for pretoken in split(name, text.encode())] == expected


def test_no_pattern_is_one_pretoken() -> None:
    assert split(None, b"one two\n") == [b"one two\n"]
    assert split(None, b"") == []
    assert split("gpt2", b"") == []


def test_an_empty_match_is_passed_over() -> None:
    assert split("x*", b"aaxxb") == [b"aa", b"xx", b"b"]
    assert split("(?=b)|c", b"abbc") == [b"abb", b"c"]


def test_the_search_looks_back_beyond_its_start() -> None:
    assert split("(?<=a)b|a", b"ab") == [b"a", b"b"]
    assert split("^a|b", b"aab") == [b"a", b"a", b"b"]


def test_a_stage_sees_its_piece_alone() -> None:
    assert split("(?<=-)b", b"a-bc") == [b"a-", b"b", b"c"]
    assert split(("[-]", "(?<=-)b"), b"a-bc") == [b"a", b"-", b"bc"]


def test_stages() -> None:
    assert stages(("[-]", "gpt2")) == ("[-]", *NAMED["gpt2"])
    assert stages(None) == ()


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("gtp2", "unknown pattern `gtp2`; did you mean `gpt2`"),
        ("zzz", "unknown pattern `zzz`; the names are `gpt2`, `cl100k`, `o200k`"),
        ("cl100k.base", "did you mean `cl100k`?"),
        ("", "the pattern is empty"),
        ((), "the pattern is empty"),
        (("gpt2", ""), "the pattern is empty"),
    ],
)
def test_wrong_names(pattern: str | tuple[str, ...], named: str) -> None:
    with pytest.raises(ValueError, match=re.escape(named)):
        split(pattern, b"text")


SPECIAL = st.lists(st.text("ab<|>", min_size=1, max_size=4), max_size=4, unique=True)


@given(SPECIAL, st.text("ab<|>", max_size=20))
def test_special_tokens_leftmost_longest(special_tokens: list[str], text: str) -> None:
    expected: list[tuple[bytes, bool]] = []
    at, ordinary = 0, ""
    while at < len(text):
        here = [token for token in special_tokens if text.startswith(token, at)]
        if here:
            if ordinary:
                expected.append((ordinary.encode(), False))
            longest = max(here, key=len)
            expected.append((longest.encode(), True))
            at, ordinary = at + len(longest), ""
        else:
            ordinary += text[at]
            at += 1
    if ordinary:
        expected.append((ordinary.encode(), False))
    assert split_special(text.encode(), special_tokens) == expected


def test_an_empty_special_token_is_refused() -> None:
    with pytest.raises(ValueError, match="must not be empty"):
        split_special(b"text", ["<|a|>", ""])
