"""Every pre-tokenizer step of a `tokenizer.json`, before and after ByteLevel, cuts as in the
library that the format is of; what cannot be represented is refused by name."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest
import tokenizers
from hard_texts import CORPUS, FRAGMENTS, TEXTS, trained
from hypothesis import given, settings
from hypothesis import strategies as st

from bytepair import FormatError, Tokenizer, _core

Step = dict[str, Any]

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
TO_BYTES = BYTE_LEVEL | {"use_regex": False}


def split(regex: str, behavior: str = "Isolated", *, invert: bool = False) -> Step:
    return {
        "type": "Split",
        "pattern": {"Regex": regex},
        "behavior": behavior,
        "invert": invert,
    }


def digits(*, individual: bool) -> Step:
    return {"type": "Digits", "individual_digits": individual}


KEEPING = ["Isolated", "Contiguous", "MergedWithPrevious", "MergedWithNext"]

# Each alone before ByteLevel, and alone after it.
STEPS: dict[str, Step] = {
    "digits": digits(individual=True),
    "runs of digits": digits(individual=False),
    "fixed length": {"type": "FixedLength", "length": 3},
    "three digits": split("[0-9][0-9][0-9]"),
    "line starts": split(r"^\s*\S|\S$"),
    "words": split(r"\w+|[^\w\s]+"),
    "look-around": split(r"(?<=[a-zé])[A-Z']|\s+(?!\S)"),
    "empty look-ahead": split(r"(?=[A-Z0-9Ã])|(?<=[²½Ġ])"),
    "a string": split("") | {"pattern": {"String": "a."}},
} | {
    f"{name} {behavior}{' inverted' * invert}": step
    for behavior in KEEPING
    for name, step in {
        "punctuation": {"type": "Punctuation", "behavior": behavior},
        "alternatives": split("ab|[cé']|\\d\\d|Ġt|Ã.", behavior),
        "one class": split(r"[\s\p{N}']", behavior),
    }.items()
    for invert in (False, True)
    if not (invert and name == "punctuation")
    for step in [step | {"invert": True} if invert else step]
}

SEQUENCES: dict[str, list[Step]] = {
    "falcon": [
        {"type": "Punctuation", "behavior": "Contiguous"},
        BYTE_LEVEL,
        digits(individual=False),
        split("[0-9][0-9][0-9]"),
    ],
    "starcoder": [digits(individual=True), BYTE_LEVEL],
    "many": [split(r"\s", "MergedWithNext"), TO_BYTES, digits(individual=True), split("[À-ÿ]+")],
}

# A character for each byte that is a number, a letter or another sign in the byte alphabet.
HARD = st.one_of(
    TEXTS,
    st.text("aZ1²³¹¼½¾òóùüýþ\u0b32\u0f39\u0fbc中弲 '\n\u00a0é", max_size=16),
    st.text("ab cé'1.A\n", max_size=24),
)


def sequence(steps: list[Step]) -> Step:
    return {"type": "Sequence", "pretokenizers": steps}


@functools.cache
def file() -> str:
    tok = trained("gpt2")
    core = Tokenizer.from_merges(tok.merges, pattern=None)._inner
    return core.to_huggingface().decode()


def with_steps(steps: list[Step], **others: Any) -> str:
    return json.dumps(json.loads(file()) | {"pre_tokenizer": sequence(steps)} | others)


def loaded(content: str) -> Tokenizer:
    return Tokenizer._wrap(_core.Tokenizer.from_huggingface(content.encode()))


def cases() -> dict[str, list[Step]]:
    before = {f"{name}, then bytes": [step, TO_BYTES] for name, step in STEPS.items()}
    after = {f"bytes, then {name}": [TO_BYTES, step] for name, step in STEPS.items()}
    return before | after | SEQUENCES


@functools.cache
def both(name: str) -> tuple[Tokenizer, tokenizers.Tokenizer, tokenizers.Tokenizer]:
    """Ours, theirs, and theirs of what ours is written as."""
    content = with_steps(cases()[name])
    ours = loaded(content)
    written = ours._inner.to_huggingface().decode()
    assert loaded(written) == ours
    return ours, tokenizers.Tokenizer.from_str(content), tokenizers.Tokenizer.from_str(written)


@pytest.mark.parametrize("name", cases())
@settings(max_examples=60)
@given(text=HARD)
def test_steps_cut_as_in_the_library(name: str, text: str) -> None:
    ours, theirs, written = both(name)
    ids = ours.encode(text)
    assert theirs.encode(text).ids == ids
    assert written.encode(text).ids == ids
    assert ours.decode(ids) == text


@pytest.mark.parametrize("name", cases())
def test_steps_on_whole_texts(name: str) -> None:
    ours, theirs, written = both(name)
    for text in [*CORPUS, *FRAGMENTS]:
        ids = ours.encode(text)
        assert theirs.encode(text).ids == ids
        assert written.encode(text).ids == ids


@pytest.mark.parametrize("name", ["digits", "punctuation Isolated"])
def test_every_character(name: str) -> None:
    """All that Unicode 16 assigns: the library's classes are partly older, partly newer."""
    theirs = both(f"{name}, then bytes")[1].pre_tokenizer
    ours = both(f"{name}, then bytes")[0]
    newer = {*range(0x11DE0, 0x11DEA), *range(0x16FF4, 0x16FF7)}  # numbers of Unicode 17
    points = [p for p in range(0x110000) if not 0xD800 <= p < 0xE000 and p not in newer]
    for start in range(0, len(points), 4096):
        text = "a".join(map(chr, points[start : start + 4096]))
        cut = [len(text[start:end].encode()) for _, (start, end) in theirs.pre_tokenize_str(text)]
        assert [len(pretoken) for pretoken in ours.pretokens(text)] == cut


def test_a_byte_in_a_character_may_be_a_digit() -> None:
    """E04: after ByteLevel a step reads bytes, written as characters."""
    ours = both("falcon")[0]
    assert ours.pretokens("aò1 12345") == [b"a\xc3", b"\xb2", b"1", b" ", b"123", b"45"]
    assert ours.offsets("aò", unit="char") == [(0, 1), (1, 2), (1, 2)]
    assert isinstance(ours.pattern, tuple)
    assert ours.pattern[-1] == "(?#byte alphabet)[0-9][0-9][0-9]"


# ------------------------------------------------------------------ a blank before the text

# The library numbers them from the end of the vocabulary on.
ADDED = [
    {"content": "<x>", "special": True, "normalized": False},
    {"content": "<y>", "special": False, "normalized": True, "lstrip": True},
    {"content": "é!", "special": False, "normalized": True, "rstrip": True},
]
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False}
PREFIXED = {
    "gpt2": [BYTE_LEVEL | {"add_prefix_space": True}],
    "whole": [TO_BYTES | {"add_prefix_space": True}],
    "digits after": [BYTE_LEVEL | {"add_prefix_space": True}, digits(individual=True)],
}
PREFIX_TEXTS = st.one_of(
    HARD, st.lists(st.sampled_from(["<x>", "<y>", "e\u0301!", "é!", " ", "a", "\n"])).map("".join)
)


@functools.cache
def prefixed(name: str, composes: bool) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    first = len(json.loads(file())["model"]["vocab"])
    content = with_steps(
        PREFIXED[name],
        normalizer={"type": "NFC"} if composes else None,
        added_tokens=[FLAGS | token | {"id": first + n} for n, token in enumerate(ADDED)],
    )
    return loaded(content), tokenizers.Tokenizer.from_str(content)


@pytest.mark.parametrize("composes", [False, True])
@pytest.mark.parametrize("name", PREFIXED)
@settings(max_examples=150)
@given(text=PREFIX_TEXTS)
def test_a_blank_before_each_stretch(name: str, composes: bool, text: str) -> None:
    ours, theirs = prefixed(name, composes)
    ids = ours.encode(text, allowed_special="all")
    judged = theirs.encode(text, add_special_tokens=False)
    assert judged.ids == ids
    assert ours.count(text, allowed_special="all") == len(ids)
    assert list(ours.encode_stream(iter(text), allowed_special="all")) == ids
    if ours.token_id("é!") not in ids:  # it takes the `é` of this token for a byte
        assert theirs.decode(ids, skip_special_tokens=False) == ours.decode(ids)
    offsets = ours.offsets(text, allowed_special="all")
    assert all(0 <= start <= end <= len(text) for start, end in offsets)
    if offsets:
        assert (offsets[0][0], offsets[-1][1]) == (0, len(text))


def test_what_the_blank_stands_for() -> None:
    tok = Tokenizer.from_merges([(b" ", b"a")], pattern="gpt2", normalization="prefix_space")
    assert tok.normalize("a b") == " a b"
    assert tok.pretokens("a b") == [b" a", b" b"]
    assert tok.offsets("a b") == [(0, 1), (1, 2), (2, 3)]
    assert tok.offsets("é") == [(0, 0), (0, 1), (0, 1)]
    assert tok.decode(tok.encode("a b")) == " a b"
    for text in ("", " a", "  "):
        assert tok.normalize(text) == text


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("step", "named"),
    [
        (split("x", "Removed"), "`Split`: the behavior `Removed` loses text"),
        (split("x", "Removed", invert=True), "`Split`: the behavior `Removed` loses text"),
        ({"type": "Punctuation", "behavior": "Removed"}, "`Punctuation`: the behavior `Removed`"),
        (split("x*"), "`x*` may match the empty text"),
        (split("(?=x)", "Contiguous"), "matches the empty text alone"),
        (split(r"(a)\1", "MergedWithNext"), "refers to a group of its own"),
        (split("x", "Sideways"), "the behavior `Sideways` is none that is known"),
        (split("x") | {"more": 1}, "`Split`: its entry `more` is unknown"),
        (split("x") | {"invert": None}, "`Split`: it lacks `invert`"),
        (split("x") | {"pattern": {"String": ""}}, "looks for the empty text"),
        (split("(x"), "does not compile"),
        (split(r"(?m:.)"), "flags"),
        (BYTE_LEVEL, "`ByteLevel`: it is the second one"),
        ({"type": "FixedLength", "length": 0}, "`length` is `0`"),
        *[
            ({"type": name}, f"`{name}`: it cannot be represented")
            for name in ["Whitespace", "WhitespaceSplit", "BertPreTokenizer", "UnicodeScripts"]
        ],
        ({"type": "CharDelimiterSplit", "delimiter": "x"}, "`CharDelimiterSplit`"),
        ({"type": "Metaspace", "replacement": "_"}, "`Metaspace`"),
        ({"type": "Nonsense"}, "`Nonsense`"),
        ({}, "`(no type)`"),
    ],
)
def test_what_cannot_be_represented_is_refused_by_name(step: Step, named: str) -> None:
    with pytest.raises((FormatError, ValueError)) as error:
        loaded(with_steps([TO_BYTES, step]))
    assert named in str(error.value)


def test_a_blank_after_another_step_is_refused() -> None:
    steps = [digits(individual=True), BYTE_LEVEL | {"add_prefix_space": True}]
    with pytest.raises(FormatError, match="`add_prefix_space` after another step"):
        loaded(with_steps(steps))


def test_stages_over_bytes_come_last() -> None:
    with pytest.raises(ValueError, match="cannot stand after one that reads the byte alphabet"):
        Tokenizer.from_merges([], pattern=("(?#byte alphabet)a", "(b)"))


def test_truncation_and_padding_are_not_applied() -> None:
    """F07: what is counted is the text."""
    side = {"strategy": "LongestFirst", "direction": "Right", "stride": 0, "max_length": 4}
    padding = {"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None}
    padding |= {"pad_id": 0, "pad_type_id": 0, "pad_token": "!"}
    plain = with_steps([BYTE_LEVEL])
    content = with_steps([BYTE_LEVEL], truncation=side, padding=padding)
    for text in ("hello world, hello", "a"):
        assert loaded(content).encode(text) == loaded(plain).encode(text)
    assert len(tokenizers.Tokenizer.from_str(content).encode("hello world").ids) == 9
