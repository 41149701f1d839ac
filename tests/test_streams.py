"""Texts in chunks → ids, ids one by one → text: the same as in one piece."""

from __future__ import annotations

import io
import itertools
import random
import tracemalloc
from collections.abc import Iterator

import pytest
from hard_texts import (
    ANY_TEXT,
    BROKEN_TEXTS,
    CORPUS,
    FRAGMENTS,
    NAMES,
    SPECIAL_TOKENS,
    as_data,
    normalizing,
    trained,
)
from hypothesis import given
from hypothesis import strategies as st

from bytepair import DecodeStream, SpecialTokenError, Tokenizer, VocabError

TOKENIZERS = [*NAMES, "no pattern", "own pattern", "nfc"]


def tokenizer(name: str) -> Tokenizer:
    if name == "nfc":
        return normalizing()
    if name in NAMES:
        return trained(name)
    tok = trained("cl100k")
    pattern = None if name == "no pattern" else r"(?<=[a-z])[A-Z]|\s+(?!\S)|\w+?(?=\d)|[^a]b*$"
    return Tokenizer.from_merges(tok.merges, pattern=pattern, special_tokens=tok.special_tokens)


def cut(text: str | bytes, places: list[int]) -> list[str] | list[bytes]:
    bounds = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(bounds)]  # type: ignore[return-value]


# ------------------------------------------------------------------ encode_stream

LONG = [
    "I'll pay $1234.50 for the cat's   hat!!\n \n\n x  ",
    "한국어 \u1112\u1161\u11ab e\u0301\u0327 a\u0323\u0307 中文 สวัสดี 👨\u200d👩\u200d👧👍🏽 ",
    "<|a|><|a|>> é<|a|é< <|a|",
    "\ud83c\udf0d \ud83c \udf0d \ud83c",
    "DON'T don'ſ HTMLParser 12345678  \r\n\r\n \u2028\u3000 end",
    b"\xf0\x9f\x8c\x8d \xf0\x9f\x8c \xe4\xb8 <|a|>\xff\xff e\xcc\x81 \xed\xa0\x80",
]


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("allowed", [(), "all"])
@pytest.mark.parametrize("text", LONG)
def test_cuts_at_every_position(name: str, allowed: str | tuple[()], text: str | bytes) -> None:
    tok = tokenizer(name)
    ids = tok.encode(text, allowed_special=allowed)  # type: ignore[arg-type]
    for place in range(len(text) + 1):
        chunks = [text[:place], text[place:]]
        assert list(tok.encode_stream(chunks, allowed_special=allowed)) == ids  # type: ignore[arg-type]
    for size in (1, 2, 3):
        chunks = [text[at : at + size] for at in range(0, len(text), size)]
        assert list(tok.encode_stream(chunks, allowed_special=allowed)) == ids  # type: ignore[arg-type]


@pytest.mark.parametrize("name", TOKENIZERS)
@given(
    text=ANY_TEXT,
    places=st.lists(st.integers(0, 60), max_size=8),
    allowed=st.one_of(st.just("all"), st.sets(st.sampled_from(SPECIAL_TOKENS))),
)
def test_cuts_anywhere(
    name: str, text: str | bytes, places: list[int], allowed: set[str] | str
) -> None:
    tok = tokenizer(name)
    ids = list(tok.encode_stream(cut(text, places), allowed_special=allowed))  # type: ignore[arg-type]
    assert ids == tok.encode(text, allowed_special=allowed)  # type: ignore[arg-type]


@given(pieces=st.lists(ANY_TEXT, max_size=5))
def test_str_and_bytes_may_be_mixed(pieces: list[str | bytes]) -> None:
    """A surrogate at the end of a `str` is alone if bytes follow."""
    whole = b""
    for kind, group in itertools.groupby(pieces, type):
        parts = list(group)
        whole += as_data("".join(parts) if kind is str else b"".join(parts))  # type: ignore[arg-type]
    for name in ("o200k", "nfc"):
        assert list(tokenizer(name).encode_stream(pieces)) == tokenizer(name).encode(whole)


def test_a_character_may_be_cut_between_bytes_and_str() -> None:
    tok = trained("gpt2")
    assert list(tok.encode_stream([b"\xf0\x9f", b"\x8c\x8d"])) == tok.encode("🌍")
    assert list(tok.encode_stream([b"\xf0\x9f", "a"])) == tok.encode(b"\xf0\x9fa")
    assert list(tok.encode_stream(["\ud83c", "", "\udf0d"])) == tok.encode("🌍")
    assert list(tok.encode_stream(["\ud83c", b"", "\udf0d"])) == tok.encode("\ufffd\ufffd")


def test_files_are_chunks() -> None:
    tok, text = trained("gpt2"), "".join(CORPUS)
    data = text.encode()
    assert list(tok.encode_stream(io.StringIO(text, newline=""))) == tok.encode(text)
    assert list(tok.encode_stream(io.BytesIO(data))) == tok.encode(text)
    assert list(tok.encode_stream([bytearray(data[:9]), memoryview(data)[9:]])) == tok.encode(text)


@pytest.mark.parametrize("chunks", [[], [""], [b""], ["", b"", ""]])
def test_nothing_gives_nothing(chunks: list[str | bytes]) -> None:
    assert list(trained("gpt2").encode_stream(chunks)) == []


@pytest.mark.parametrize("name", NAMES)
def test_ids_come_while_chunks_are_read(name: str) -> None:
    read = 0

    def chunks() -> Iterator[str]:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield "the cat in the hat, "

    stream = trained(name).encode_stream(chunks())
    assert read == 0
    next(stream)
    assert read < 20
    for _ in range(1000):
        next(stream)
    assert read < 600


@pytest.mark.parametrize("name", NAMES)
def test_memory_is_bounded_with_the_named_patterns(name: str) -> None:
    tok = trained(name)
    chunk = "".join(CORPUS) * 4

    def peak(chunks: int) -> int:
        tracemalloc.start()
        for _ in tok.encode_stream(chunk for _ in range(chunks)):
            pass
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(2)
    assert peak(40) < 2 * peak(4) + 2**16


def test_disallowed_special_tokens_raise_at_their_place() -> None:
    tok = trained("gpt2")
    stream = tok.encode_stream(["the cat " * 100, "<|", "a|", "> x"], disallowed_special="all")
    with pytest.raises(SpecialTokenError, match=r"`<\|a\|>` at byte 800"):
        list(stream)


def test_one_text_is_no_iterable_of_chunks() -> None:
    for text in ("abc", b"abc", bytearray(b"abc")):
        with pytest.raises(TypeError, match="takes an iterable of chunks; for one text use encode"):
            list(trained("gpt2").encode_stream(text))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected text"):
        list(trained("gpt2").encode_stream([1]))  # type: ignore[list-item]


def test_errors_of_the_iterable_come_through() -> None:
    def chunks() -> Iterator[str]:
        yield "a" * 100
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(trained("gpt2").encode_stream(chunks()))


# ------------------------------------------------------------------ DecodeStream


def decoded(tok: Tokenizer, ids: list[int], **options: bool) -> str:
    stream = tok.stream(**options)
    return "".join([*(stream.push(id) for id in ids), stream.finish()])


def test_a_hundred_thousand_random_ids() -> None:
    tok = trained("o200k")
    random_ids = random.Random(0).choices([*tok.vocab, *tok.special_tokens.values()], k=100_000)
    stream = tok.stream()
    text = ""
    pieces = []
    held = 0
    for id in random_ids:
        piece = stream.push(id)
        pieces.append(piece)
        held = 0 if piece else held + len(tok.token_bytes(id))
        assert held <= 3
    pieces.append(stream.finish())
    text = "".join(pieces)
    assert text == tok.decode_bytes(random_ids).decode(errors="replace") == tok.decode(random_ids)


@given(text=ANY_TEXT)
def test_decoding_ids_of_texts(text: str | bytes) -> None:
    for name in ("gpt2", "nfc"):
        tok = tokenizer(name)
        ids = tok.encode(text, allowed_special="all")
        assert decoded(tok, ids) == tok.decode(ids)
        assert decoded(tok, ids, skip_special=True) == tok.decode(ids, skip_special=True)


@given(data=st.binary(max_size=12))
def test_decoding_any_bytes(data: bytes) -> None:
    tok = Tokenizer.from_merges([])
    assert decoded(tok, list(data)) == data.decode(errors="replace")


def test_whole_characters_only() -> None:
    tok = Tokenizer.from_merges([], special_tokens={"<é>": 300})
    stream = tok.stream()
    assert [stream.push(byte) for byte in "a🌍é".encode()] == ["a", "", "", "", "🌍", "", "é"]
    assert stream.finish() == ""
    assert stream.push(300) == "<é>"
    assert [stream.push(0xF0), stream.push(0x9F), stream.push(300)] == ["", "", "\ufffd<é>"]


def test_finish_shows_what_is_left_and_starts_afresh() -> None:
    stream = Tokenizer.from_merges([]).stream()
    assert isinstance(stream, DecodeStream)
    assert [stream.push(0xE4), stream.push(0xB8), stream.finish()] == ["", "", "\ufffd"]
    assert [stream.push(0x96), stream.push(97), stream.finish()] == ["\ufffd", "a", ""]


def test_an_unknown_id_changes_nothing() -> None:
    stream = Tokenizer.from_merges([]).stream()
    assert stream.push(0xE4) == ""
    for id in (256, -1, 2**40):
        with pytest.raises(VocabError, match=f"the id `{id}` is no token"):
            stream.push(id)
    with pytest.raises(TypeError):
        stream.push("a")  # type: ignore[arg-type]
    assert [stream.push(0xB8), stream.push(0x96)] == ["", "世"]


def test_skip_special() -> None:
    tok = Tokenizer.from_merges([], special_tokens={"<x>": 300})
    stream = tok.stream(skip_special=True)
    assert [stream.push(id) for id in (97, 300, 98)] == ["a", "", "b"]


def test_fragments_through_both_streams() -> None:
    tok = trained("o200k")
    ids = tok.encode_stream(FRAGMENTS)
    assert decoded(tok, list(ids)) == "".join(FRAGMENTS)


@given(text=BROKEN_TEXTS)
def test_a_round_trip_through_both_streams(text: str) -> None:
    tok = trained("gpt2")
    assert (
        decoded(tok, list(tok.encode_stream(text[i] for i in range(len(text)))))
        == as_data(text).decode()
    )
