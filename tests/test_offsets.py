"""Where each id comes from, in the text as given."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from hard_texts import ANY_TEXT, NAMES, TEXTS, as_data, normalizing, trained
from hypothesis import given

from bytepair import SpecialTokenError, Tokenizer

Spans = list[tuple[int, int]]


def bytes_with(**options: object) -> Tokenizer:
    return Tokenizer.from_merges([], pattern=None, **options)  # type: ignore[arg-type]


# ------------------------------------------------------------------ an independent answer


def characters(text: str | bytes) -> list[tuple[int, int]]:
    """For each character the bytes that it has, and the places that it takes in the text."""
    if isinstance(text, str):
        repaired = as_data(text).decode()
        found, at = [], 0
        for character in repaired:
            places = 1 if text[at] == character or character == "\ufffd" else 2
            found.append((len(character.encode()), places))
            at += places
        return found
    found, at = [], 0
    while at < len(text):
        try:
            length = len(text[at : at + 4].decode(errors="ignore")[0].encode())
            text[at : at + length].decode()
        except (UnicodeDecodeError, IndexError):
            length = ill_formed_length(text[at : at + 4])
        found.append((length, 1))
        at += length
    return found


def ill_formed_length(data: bytes) -> int:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.end
    raise ValueError(f"{data!r} is well-formed")


def expected(tok: Tokenizer, text: str | bytes, ids: list[int]) -> tuple[Spans, Spans]:
    """Spans in bytes and in characters, for a tokenizer that does not normalize."""
    ends = list(accumulate((len(tok.token_bytes(id)) for id in ids), initial=0))
    in_bytes = list(pairwise(ends))
    starts = list(accumulate((length for length, _ in characters(text)), initial=0))
    places = list(accumulate((place for _, place in characters(text)), initial=0))
    in_characters = []
    for start, end in in_bytes:
        first = max(n for n, at in enumerate(starts) if at <= start)
        last = min(n for n, at in enumerate(starts) if at >= end)
        in_characters.append((places[first], places[last]))
    return in_bytes, in_characters


@pytest.mark.parametrize("name", NAMES)
@given(text=ANY_TEXT)
def test_bytes_and_characters(name: str, text: str | bytes) -> None:
    tok = trained(name)
    for allowed in ("all", ()):
        ids = tok.encode(text, allowed_special=allowed)  # type: ignore[arg-type]
        in_bytes, in_characters = expected(tok, text, ids)
        assert tok.offsets(text, unit="byte", allowed_special=allowed) == in_bytes  # type: ignore[arg-type]
        assert tok.offsets(text, allowed_special=allowed) == in_characters  # type: ignore[arg-type]
        data = as_data(text)
        assert [data[start:end] for start, end in in_bytes] == list(map(tok.token_bytes, ids))


@given(text=ANY_TEXT)
def test_before_normalization(text: str | bytes) -> None:
    tok = normalizing()
    ids = tok.encode(text, allowed_special="all")
    places = sum(place for _, place in characters(text))
    for unit, length in (("char", places), ("byte", len(as_data(text)))):
        spans = tok.offsets(text, unit=unit, allowed_special="all")  # type: ignore[arg-type]
        assert len(spans) == len(ids)
        reached = 0
        for start, end in spans:
            assert start <= reached <= end
            reached = end
        assert reached == length


@given(text=TEXTS)
def test_what_a_span_holds_normalizes_to_its_token(text: str) -> None:
    tok = normalizing()
    for id, (start, end) in zip(tok.encode(text), tok.offsets(text), strict=True):
        token = tok.token_bytes(id)
        assert token in tok.normalize(text[start:end]).encode()


# ------------------------------------------------------------------ by hand


def test_nothing_is_trimmed() -> None:
    tok = trained("gpt2")
    assert tok.pretokens("a  the") == [b"a", b" ", b" the"]
    spans = tok.offsets("a  the")
    assert spans[0] == (0, 1)
    assert spans[1] == (1, 2)
    assert (spans[2][0], spans[-1][1]) == (2, 6)


def test_a_token_that_holds_part_of_a_character_gets_the_whole() -> None:
    tok = bytes_with()
    assert tok.offsets("a🌍b") == [(0, 1), *[(1, 2)] * 4, (2, 3)]
    assert tok.offsets("a🌍b", unit="byte") == [(n, n + 1) for n in range(6)]
    merged = Tokenizer.from_merges([(b"a", b"\xf0"), (b"\x8d", b"b")], pattern=None)
    assert merged.offsets("a🌍b") == [(0, 2), (1, 2), (1, 2), (1, 3)]
    assert merged.offsets("a🌍b", unit="byte") == [(0, 2), (2, 3), (3, 4), (4, 6)]


def test_positions_are_those_of_the_text_as_given() -> None:
    tok = bytes_with(normalization="nfc")
    assert tok.encode("e\u0301x") == [0xC3, 0xA9, 120]
    assert tok.offsets("e\u0301x") == [(0, 2), (0, 2), (2, 3)]
    assert tok.offsets("e\u0301x", unit="byte") == [(0, 3), (0, 3), (3, 4)]
    # One that becomes two: U+0958 is a letter and a mark.
    assert tok.normalize("\u0958x") == "\u0915\u093cx"
    assert tok.offsets("\u0958x") == [(0, 1)] * 6 + [(1, 2)]
    # Hangul from three letters.
    assert tok.offsets("\u1112\u1161\u11ab.") == [(0, 3)] * 3 + [(3, 4)]


def test_surrogates() -> None:
    tok = bytes_with()
    assert tok.offsets("\ud83c\udf0da") == [(0, 2)] * 4 + [(2, 3)]
    assert tok.offsets("\ud83ca") == [(0, 1)] * 3 + [(1, 2)]
    assert tok.offsets("\ud83c\ud83c\udf0d\udf0d🌍") == (
        [(0, 1)] * 3 + [(1, 3)] * 4 + [(3, 4)] * 3 + [(4, 5)] * 4
    )
    assert tok.offsets("\ud83c\udf0da", unit="byte") == [(n, n + 1) for n in range(5)]


def test_ill_formed_bytes_count_as_one_character_for_each_u_fffd() -> None:
    tok = bytes_with()
    data = b"a\xf0\x9f\x8cb\xff\xc3\xa9"
    assert len(data.decode(errors="replace")) == 5
    assert tok.offsets(data) == [(0, 1), *[(1, 2)] * 3, (2, 3), (3, 4), (4, 5), (4, 5)]
    assert tok.offsets(data, unit="byte") == [(n, n + 1) for n in range(8)]


def test_special_tokens() -> None:
    tok = bytes_with(special_tokens={"<é>": 300})
    assert tok.offsets("é<é>x", allowed_special="all") == [(0, 1), (0, 1), (1, 4), (4, 5)]
    assert tok.offsets("é<é>x", unit="byte", allowed_special={"<é>"})[2] == (2, 6)
    assert len(tok.offsets("é<é>x")) == 7
    with pytest.raises(SpecialTokenError, match="`<é>` at byte 2"):
        tok.offsets("é<é>x", disallowed_special="all")


def test_the_empty_text_has_none() -> None:
    assert bytes_with().offsets("") == bytes_with().offsets(b"", unit="byte") == []


def test_units_have_names() -> None:
    with pytest.raises(ValueError, match="unit `token`"):
        bytes_with().offsets("x", unit="token")  # type: ignore[arg-type]


def test_they_reach_the_end_of_long_texts() -> None:
    text = "中文 the cat's \r\n" * 5_000
    spans = trained("o200k").offsets(text)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert all(start < end for start, end in spans)
