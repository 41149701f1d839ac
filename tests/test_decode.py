"""Ids → text and bytes."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from hard_texts import ANY_TEXT, as_data, trained
from hypothesis import given
from hypothesis import strategies as st

from bytepair import Tokenizer, VocabError


@pytest.fixture(scope="module")
def tok() -> Tokenizer:
    return Tokenizer.from_merges([(b"h", b"i")], special_tokens={"<s>": 300, "<é>": 301})


# ------------------------------------------------------------------ what ids may be


@pytest.mark.parametrize(
    "ids",
    [
        [256, 300, 33],
        (256, 300, 33),
        iter([256, 300, 33]),
        range(256, 257),
        np.array([256, 300, 33]),
        *(np.array([256, 300, 33], dtype) for dtype in ("u2", "u4", "u8", "i2", "i4", "i8", ">u4")),
        np.array([256, 0, 300, 0, 33], np.uint32)[::2],
        [np.uint16(256), np.int64(300), 33],
        [],
        np.array([], np.uint32),
    ],
)
def test_any_integers_in_any_iterable(tok: Tokenizer, ids: object) -> None:
    ids = ids if isinstance(ids, np.ndarray) else list(ids)  # type: ignore[call-overload]
    wanted = b"".join(tok.token_bytes(id) for id in ids)
    assert tok.decode_bytes(ids) == wanted
    assert tok.decode(ids) == wanted.decode()
    assert tok.decode(id for id in ids) == wanted.decode()


@pytest.mark.parametrize("ids", ["hi", b"", None, 256, [1.0], ["a"], [None], {256: 1}, [[256]]])
def test_what_are_no_ids_is_a_type_error(tok: Tokenizer, ids: object) -> None:
    if ids == b"":  # bytes are integers; they are ids like any others
        assert tok.decode(ids) == ""  # type: ignore[arg-type]
        return
    with pytest.raises(TypeError):
        tok.decode(ids)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tok.decode_bytes(ids)  # type: ignore[arg-type]


def test_a_type_error_names_the_position(tok: Tokenizer) -> None:
    with pytest.raises(TypeError, match=r"expected ids \(integers\); the one at position 1 is `x`"):
        tok.decode([256, "x"])  # type: ignore[list-item]


# ------------------------------------------------------------------ UTF-8


def test_bytes_are_joined_before_they_are_read(tok: Tokenizer) -> None:
    assert tok.decode([0xF0, 0x9F, 0x8C, 0x8D]) == "🌍"
    assert tok.decode([0xF0, 0x9F, 0x8C]) == "\ufffd"
    assert tok.decode([0xF0, 0x9F, 300]) == "\ufffd<s>"


@given(data=st.binary(max_size=20))
@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace", "surrogateescape"])
def test_errors_are_those_of_python(errors: str, data: bytes) -> None:
    tok = Tokenizer.from_merges([])
    assert tok.decode(data, errors=errors) == data.decode(errors=errors)
    assert tok.decode(data, errors) == data.decode(errors=errors)
    assert tok.decode_bytes(data) == data


def test_strict(tok: Tokenizer) -> None:
    assert tok.decode([256], errors="strict") == "hi"
    with pytest.raises(UnicodeDecodeError):
        tok.decode([0xFF], errors="strict")


@given(text=ANY_TEXT)
def test_round_trips(text: str | bytes) -> None:
    tok = trained("o200k")
    assert tok.decode_bytes(tok.encode(text)) == as_data(text)
    assert tok.decode_bytes(tok.encode_to_numpy(text)) == as_data(text)


# ------------------------------------------------------------------ special and unknown ids


def test_special_tokens_are_their_text_unless_skipped(tok: Tokenizer) -> None:
    assert tok.decode([300, 256, 301]) == "<s>hi<é>"
    assert tok.decode([300, 256, 301], skip_special=True) == "hi"
    assert tok.decode_bytes([300, 256, 301], skip_special=True) == b"hi"
    assert tok.decode_batch([[300, 256]], skip_special=True) == ["hi"]
    assert tok.decode([0xC3, 300, 0xA9], skip_special=True) == "é"


UNKNOWN = [257, 299, 302, 2**31, 2**32 - 1, 2**32, 2**70, -1, -(2**70)]


@pytest.mark.parametrize("id", UNKNOWN)
def test_an_unknown_id_is_named_with_its_position(tok: Tokenizer, id: int) -> None:
    named = rf"the id `{id}` at position 2 is no token of this vocabulary \(highest id: 301\)"
    calls: list[Callable[[list[int]], object]] = [
        tok.decode,
        tok.decode_bytes,
        lambda ids: tok.decode(ids, errors="strict"),
        lambda ids: tok.decode(np.array(ids, dtype=object)),
    ]
    for call in calls:
        with pytest.raises(VocabError, match=named):
            call([256, 300, id, 257])


@pytest.mark.parametrize("id", UNKNOWN)
def test_unknown_ids_may_be_replaced_or_left_out(tok: Tokenizer, id: int) -> None:
    ids = [256, id, 33]
    assert tok.decode(ids, unknown="replace") == "hi\ufffd!"
    assert tok.decode(ids, errors="strict", unknown="replace") == "hi\ufffd!"
    assert tok.decode(ids, unknown="ignore") == "hi!"
    assert tok.decode_bytes(ids, unknown="replace") == b"hi\xef\xbf\xbd!"
    assert tok.decode_bytes(ids, unknown="ignore") == b"hi!"
    assert tok.decode_batch([ids, [256]], unknown="ignore") == ["hi!", "hi"]


def test_negative_ids_in_arrays(tok: Tokenizer) -> None:
    with pytest.raises(VocabError, match="the id `-1` at position 0"):
        tok.decode(np.array([-1, 256]))
    assert tok.decode(np.array([-1, 256]), unknown="ignore") == "hi"


def test_unknown_has_three_values(tok: Tokenizer) -> None:
    with pytest.raises(ValueError, match="unknown=`skip`"):
        tok.decode([256], unknown="skip")  # type: ignore[arg-type]


# ------------------------------------------------------------------ many rows


def test_decode_batch(tok: Tokenizer) -> None:
    assert tok.decode_batch([]) == []
    assert tok.decode_batch([[256], [], np.array([300])]) == ["hi", "", "<s>"]
    assert tok.decode_batch(iter([iter([256])])) == ["hi"]
    assert tok.decode_batch(np.array([[256, 33], [33, 256]])) == ["hi!", "!hi"]
    assert tok.decode_batch([[0xFF]], errors="ignore") == [""]


def test_decode_batch_names_the_row(tok: Tokenizer) -> None:
    with pytest.raises(VocabError, match=r"^row 2: the id `999` at position 1 is no token"):
        tok.decode_batch([[256], [], [256, 999]])
    with pytest.raises(UnicodeDecodeError) as strict:
        tok.decode_batch([[256], [0xFF]], errors="strict")
    assert strict.value.__notes__ == ["in row 1"]
    with pytest.raises(TypeError):
        tok.decode_batch([256])  # type: ignore[list-item]


# ------------------------------------------------------------------ one token


def test_token_bytes(tok: Tokenizer) -> None:
    assert tok.token_bytes(256) == b"hi"
    assert tok.token_bytes(np.uint16(0xFF)) == b"\xff"
    assert tok.token_bytes(301) == "<é>".encode()
    for id in UNKNOWN:
        named = re.escape(f"the id `{id}` is no token of this vocabulary (highest id: 301)")
        with pytest.raises(VocabError, match=named):
            tok.token_bytes(id)
    with pytest.raises(TypeError):
        tok.token_bytes("hi")  # type: ignore[arg-type]


def test_token_id(tok: Tokenizer) -> None:
    assert tok.token_id("hi") == tok.token_id(b"hi") == 256
    assert tok.token_id("<é>") == tok.token_id("<é>".encode()) == 301
    assert tok.token_id(b"\xff") == 255
    for absent in ("ho", b"\xff\xff", "", "é"):
        with pytest.raises(VocabError, match="is no token of this vocabulary"):
            tok.token_id(absent)
    with pytest.raises(TypeError):
        tok.token_id(256)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["gpt2", "deepseek_v3"])
def test_ids_and_tokens_are_one_to_one(name: str) -> None:
    tok = trained(name)
    for id, token in tok.vocab.items():
        assert tok.token_id(token) == id
        assert tok.token_bytes(id) == token
        assert tok.decode_bytes([id]) == token
