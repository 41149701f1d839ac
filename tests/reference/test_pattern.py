"""Patterns mean in Python's `re` what they mean in the engines that tiktoken and the core use."""

from __future__ import annotations

import sys

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bytepair.reference import NAMED, split, unicode
from bytepair.reference.pattern import (
    Ranges,
    compile_pattern,
    complement,
    intersection,
    unicode_class,
    union,
)

EVERY_CHARACTER = [chr(n) for n in range(sys.maxunicode + 1) if not 0xD800 <= n <= 0xDFFF]


def holds(ranges: Ranges) -> set[str]:
    return {
        chr(n)
        for low, high in ranges
        for n in range(low, high + 1)
        if not 0xD800 <= n <= 0xDFFF  # surrogates are in no text
    }


@pytest.mark.parametrize(
    "name", ["L", "N", "M", "P", "S", "Lu", "Ll", "Lt", "Lm", "Lo", "Cn", "Han"]
)
def test_class_of_every_code_point(name: str) -> None:
    ranges = unicode_class(name)
    assert ranges is not None
    inside, outside = (compile_pattern(rf"\{letter}{{{name}}}") for letter in "pP")
    expected = holds(ranges)
    matched = {character for character in EVERY_CHARACTER if inside.fullmatch(character)}
    assert matched == expected
    assert all(
        (character in expected) != bool(outside.fullmatch(character)) for character in "aA1 é中\x00"
    )


def test_white_space_and_digits_of_every_code_point() -> None:
    blank, other = compile_pattern(r"\s"), compile_pattern(r"[^\S]")
    expected = holds(list(unicode.WHITE_SPACE))
    assert {character for character in EVERY_CHARACTER if blank.fullmatch(character)} == expected
    assert {character for character in EVERY_CHARACTER if other.fullmatch(character)} == expected
    digit = compile_pattern(r"\d")
    numbers = holds(list(unicode.GENERAL_CATEGORIES["Nd"]))
    assert {character for character in EVERY_CHARACTER if digit.fullmatch(character)} == numbers


def test_categories_cover_every_code_point_once() -> None:
    ranges = sorted(pair for some in unicode.GENERAL_CATEGORIES.values() for pair in some)
    ends = [-1, *(high for _, high in ranges)]
    assert [low for low, _ in ranges] == [end + 1 for end in ends[:-1]]
    assert ends[-1] == sys.maxunicode


@pytest.mark.parametrize("pattern", [r"\p{L}", r"\p{N}", r"\s", r"\p{Lu}", r"\p{M}", r"\p{Han}"])
def test_classes_agree_with_tiktoken(pattern: str) -> None:
    """tiktoken drops what its pattern does not match: the ids that are left are the class."""
    ranks = {bytes([byte]): byte for byte in range(256)}
    judge = tiktoken.Encoding("class", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    left = judge.decode_bytes(judge.encode_ordinary("".join(EVERY_CHARACTER))).decode()
    ours = compile_pattern(pattern)
    assert left == "".join(character for character in EVERY_CHARACTER if ours.fullmatch(character))


ALPHABET = st.one_of(
    st.sampled_from(
        " \t\n\r'sStTdDmMlLrReEvVaAzZ019.,!/-_中文かカ\u017f\u212a\u00a0\u2028\u0301ǅʰéÉ½٣🌍"
    ),
    st.characters(exclude_categories=["Cs"]),
)
TEXTS = st.text(ALPHABET, max_size=40)


@pytest.mark.parametrize("name", [name for name, regexes in NAMED.items() if len(regexes) == 1])
@given(texts=st.lists(TEXTS, min_size=20, max_size=20))
def test_named_patterns_agree_with_tiktoken(name: str, texts: list[str]) -> None:
    """tiktoken looks up whole pretokens first: with every pretoken a token, one id is one pretoken.

    Tokens of two bytes could come out of a merge as well, so they are left to the longer ones.
    """
    pretokens = [split(name, text.encode()) for text in texts]
    longer = {piece for pieces in pretokens for piece in pieces if len(piece) > 2}
    ranks = {bytes([byte]): byte for byte in range(256)}
    ranks |= {piece: 256 + n for n, piece in enumerate(sorted(longer))}
    judge = tiktoken.Encoding(
        "whole", pat_str=NAMED[name][0], mergeable_ranks=ranks, special_tokens={}
    )
    for text, pieces in zip(texts, pretokens, strict=True):
        expected = [
            ranks[p]
            for piece in pieces
            for p in ([piece] if piece in ranks else split_bytes(piece))
        ]
        assert judge.encode_ordinary(text) == expected


def split_bytes(data: bytes) -> list[bytes]:
    return [bytes([byte]) for byte in data]


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"(?i:s)", "sSſ$", "sSſ"),
        (r"(?i:K)", "kK\u212aκ", "kK\u212a"),
        (r"(?i:[h-k])", "hHiIkK\u212aıİl", "hHiIkK\u212a"),
        (r"(?i:[^s])", "sSſx", "x"),
        (r"(?i:(?:a))b|c", "C", ""),
        (r"[a&&b]", "ab&", ""),
        (r"[a-d&&b-z&&[^c]]", "abcdz&", "bd"),
        (r"[^a-d&&b-z]", "abcdz", "az"),
        (r"[\p{L}&&[^\p{Lu}]]", "aAé1", "aé"),
        (r"[a[b-c[d]]]", "abcde", "abcd"),
        (r"[\x41\x{42}\u0043\u{44}\U00000045]", "ABCDEF", "ABCDE"),
        (r"[\-\]\[\\^]", "-][\\^a", "-][\\^"),
        (r"[-a]|[b-]", "-abc", "-ab"),
        (r"[\n\r\t\f\v\a]", "\n\r\t\f\v\x07 nrtfva", "\n\r\t\f\v\x07"),
        (r"\.|\*|\ |\#", ".* #a", ".* #"),
        (r"\pL", "a1", "a"),
        (r"\PL", "a1", "1"),
        ("[\\s\\S]", "a\n", "a\n"),
        (".", "a\r\n\u2028", "a\r\u2028"),
    ],
)
def test_syntax(pattern: str, text: str, found: str) -> None:
    assert "".join(compile_pattern(pattern).findall(text)) == found


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        (r"\w+", r"`\w` is not supported at character 0"),
        (r"a\b", r"`\b` is not supported at character 1"),
        (r"a\Z", r"`\Z` is not supported at character 1"),
        (r"(a)\1", r"`\1` is not supported at character 3"),
        (r"\p{Greek}", "the class `Greek` is not supported at character 0"),
        (r"\p{}", "the class `` is not supported"),
        (r"\p", "the class `` is not supported"),
        (r"(?i:\p{Lu})", "the class `Lu` is not supported under `(?i:`"),
        (r"(?i:é)", "characters beyond ASCII are not supported under `(?i:`"),
        (r"(?i:[à-ý])", "characters beyond ASCII are not supported under `(?i:`"),
        (r"(?P<x>a)", "`(?P` is not supported at character 0"),
        (r"(?i)a", "`(?i` is not supported"),
        (r"(?x: a)", "`(?x` is not supported"),
        (r"[[:alpha:]]", "`[:` in a class is not supported at character 1"),
        (r"[a-z--b]", "`--` in a class is not supported at character 4"),
        (r"[a~~b]", "`~~` in a class is not supported"),
        (r"[a", "this class is not closed"),
        (r"[]a]", "this class is empty"),
        (r"[b-a]", "a range in a class must go up"),
        (r"[a-\d]", "a range in a class must go up"),
        ("[" * 30 + "a" + "]" * 30, "nested more than 20 deep"),
        (r"a)", "`)` closes nothing at character 1"),
        (r"(a", "does not compile"),
        (r"*a", "does not compile"),
        (r"(?<=a+)b", "does not compile"),
        (r"a{,2}", "`{` is no repetition"),
        (r"\x4", "this escape names no character"),
        (r"\u{D800}", "this escape names no character"),
        ("a\\", "`\\` is not supported"),
    ],
)
def test_refused_by_name(pattern: str, named: str) -> None:
    with pytest.raises(ValueError) as caught:
        compile_pattern(pattern)
    assert named in str(caught.value)
    assert f"`{pattern}`" in str(caught.value)


RANGES = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9))).map(
    lambda pairs: union([(low, low + length) for low, length in pairs])
)


@given(RANGES, RANGES)
def test_set_operations(left: Ranges, right: Ranges) -> None:
    def numbers(ranges: Ranges) -> set[int]:
        return {n for n in range(70) if any(low <= n <= high for low, high in ranges)}

    everything = set(range(70))
    assert numbers(complement(left)) == everything - numbers(left)
    assert numbers(intersection(left, right)) == numbers(left) & numbers(right)
    assert numbers(union(left, right)) == numbers(left) | numbers(right)
    assert complement(complement(left)) == left
