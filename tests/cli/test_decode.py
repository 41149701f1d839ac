"""`bytepair decode`."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bytepair.cli import streams
from bytepair.cli.ids import IdReader
from bytepair.errors import FormatError

TEXT = "the cat sat on the mat: 今天 🌍\n"


@pytest.mark.parametrize("form", ["{}", "[{}]", " [ {} ]\n", "{}\n", "\n\n{},"])
@pytest.mark.parametrize("between", [" ", ", ", ",", "\n", "\t \r\n"])
def test_ways_to_write_ids(run, tok, tokenizer, form, between):
    ids = form.format(between.join(map(str, tokenizer.encode(TEXT))))
    done = run("decode", "-t", tok, stdin=ids)
    assert (done.code, done.out, done.err) == (0, TEXT, "")


def test_a_file(run, tok, tokenizer, tmp_path):
    (tmp_path / "ids").write_text(" ".join(map(str, tokenizer.encode(TEXT))))
    assert run("decode", "-t", tok, tmp_path / "ids").out == TEXT


@pytest.mark.parametrize("ids", ["", "\n", "[]", " , "])
def test_no_ids_are_no_text(run, tok, ids):
    assert run("decode", "-t", tok, stdin=ids).data == b""


@pytest.mark.parametrize("data", [bytes(range(256)), b"\xe6\x9d", b"a\r\n\x00\xff", TEXT.encode()])
def test_the_round_trip_keeps_every_byte(run, tok, data):
    assert run("decode", "-t", tok, stdin=run("encode", "-t", tok, stdin=data).data).data == data


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ("keep", b"a\xe6\x9db\xff"),
        ("replace", "a\ufffdb\ufffd".encode()),
        ("ignore", b"ab"),
    ],
)
def test_bytes_that_are_no_utf8(run, tok, errors, expected):
    done = run("decode", "-t", tok, "--errors", errors, stdin="97 230 157 98 255")
    assert (done.code, done.data) == (0, expected)


def test_strict_names_the_byte_and_its_place(run, tok, monkeypatch):
    monkeypatch.setattr(streams, "CHUNK", 5)
    done = run("decode", "-t", tok, "--errors", "strict", stdin="97 228 187 138 230 157 98")
    assert done.code == 1
    assert "`\\xe6` at byte 4" in done.err
    assert "hint: `--errors keep`" in done.err


def test_characters_are_whole_across_chunks(run, tok, tokenizer, monkeypatch):
    monkeypatch.setattr(streams, "CHUNK", 2)
    ids = " ".join(map(str, tokenizer.encode(TEXT)))
    assert run("decode", "-t", tok, "--errors", "strict", stdin=ids).out == TEXT


def test_special_tokens(run, tok, tokenizer):
    ids = f"97 {tokenizer.special_tokens['<|end|>']} 98"
    assert run("decode", "-t", tok, stdin=ids).out == "a<|end|>b"
    assert run("decode", "-t", tok, "--skip-special", stdin=ids).out == "ab"


def test_json(run, tok):
    done = run("decode", "-t", tok, "--json", stdin="97 230 98")
    assert done.json == {"tokens": 3, "bytes": 3, "text": "a\ufffdb"}
    done = run("decode", "-t", tok, "--json", "--errors", "ignore", stdin="97 230 98")
    assert done.json["text"] == "ab"


@pytest.mark.parametrize(
    ("ids", "item", "value"),
    [
        ("12 x 13", 2, "x"),
        ("-1", 1, "-1"),
        ("1 2 3.0", 3, "3.0"),
        ("1_000", 1, "1_000"),
        ("{1}", 1, "{1}"),
        ("[1] 2", 2, "2"),
        ("1 [2]", 2, "["),
        ("[[1]]", 1, "["),
        ("1]", 2, "]"),
        ("\x1b[31m", 1, r"\x1b"),
        ("9" * 100, 1, "9" * 40 + "…"),
        ("１２", 1, "１２"),
    ],
)
def test_what_is_no_id(run, tok, ids, item, value):
    done = run("decode", "-t", tok, stdin=ids)
    assert done.code == 1
    assert done.err.startswith(f"error: item {item} of stdin: `{value}` is no id\nhint: ")


def test_a_list_without_end(run, tok):
    done = run("decode", "-t", tok, stdin="[1, 2")
    assert done.code == 1
    assert "has no `]`" in done.err


def test_an_id_that_is_no_token(run, tok, monkeypatch, tmp_path):
    monkeypatch.setattr(streams, "CHUNK", 4)
    (tmp_path / "ids").write_text("97 98 99 99999 1")
    done = run("decode", "-t", tok, tmp_path / "ids")
    assert done.code == 1
    assert f"item 4 of `{tmp_path / 'ids'}`: " in done.err
    assert "`99999`" in done.err


def test_a_huge_id(run, tok):
    done = run("decode", "-t", tok, stdin="9999999999")
    assert done.code == 1
    assert "`9999999999`" in done.err


@given(st.lists(st.integers(0, 2**32 - 1)), st.sampled_from([1, 2, 3, 7]))
def test_wherever_the_chunks_are_cut(ids, size):
    class Small(io.BytesIO):
        def read(self, _: int = -1) -> bytes:
            return super().read(size)

    for text in (" ".join(map(str, ids)), str(ids)):
        batches = IdReader(Small(text.encode()), "here")
        assert [id_ for batch in batches for id_ in batch] == ids


def test_digits_without_end_are_not_gathered():
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return b"1" * 8

    with pytest.raises(FormatError, match="is no id"):
        list(IdReader(Endless(), "here"))
