"""Faults in decoding and streaming: torn characters, lost ends, ids that nothing holds."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import EXHAUSTIVE, effort
from entry_points import command
from hard_texts import FRAGMENTS, TEXTS, trained
from hypothesis import given, settings
from hypothesis import strategies as st

import bytepair
from bytepair import FormatError, SpecialTokenError, Tokenizer, VocabError

SPEECH = [
    "今天西安的天气怎么样？敏捷的棕色狐狸跳过了那只懒狗。𠮷野家",
    "안녕하세요 세계! 다람쥐 헌 쳇바퀴에 타고파. \u1112\u1161\u11ab",
    "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "👨\u200d👩\u200d👧👍🏽🇩🇪❤\ufe0f 🏳\ufe0f\u200d🌈",
    "สวัสดีครับ नमस्ते አማርኛ வணக்கம்",
]
LOADED = bytepair.names() if EXHAUSTIVE else ["gpt2", "cl100k_base", "o200k_base", "deepseek_v3"]


def streamed(tok: Tokenizer, ids: list[int]) -> list[str]:
    stream = tok.stream()
    return [*(stream.push(id) for id in ids), stream.finish()]


# ------------------------------------------------------------------ D01: one id at a time


@pytest.mark.parametrize("name", LOADED)
def test_D01_no_character_is_torn_or_lost(name: str) -> None:
    tok = bytepair.load(name)
    for text in [*SPEECH, "".join(SPEECH)]:
        deltas = streamed(tok, tok.encode(text))
        assert "".join(deltas) == tok.decode(tok.encode(text)) == tok.normalize(text)
        assert not any("\ufffd" in delta for delta in deltas)


@settings(max_examples=effort(100))
@given(text=TEXTS, data=st.data())
def test_D01_however_the_text_is_cut_into_tokens(text: str, data: st.DataObject) -> None:
    """Ids that no encoder would give, but a model may: each character cut anywhere."""
    tok = trained("gpt2")
    ids = tok.encode(text) if data.draw(st.booleans()) else [*text.encode()]
    deltas = streamed(tok, ids)
    assert "".join(deltas) == tok.decode(ids) == text
    assert any("\ufffd" in delta for delta in deltas) == ("\ufffd" in text)


# ------------------------------------------------------------------ D03: any ids


@pytest.mark.parametrize("name", LOADED)
def test_D03_any_ids_stream_as_they_decode(name: str) -> None:
    tok = bytepair.load(name)
    choices = random.Random(3).choices
    known = [*tok.vocab, *tok.special_tokens.values()]
    torn = [id for id, token in tok.vocab.items() if "\ufffd" in token.decode(errors="replace")]
    for ids in (
        choices(known, k=effort(20_000, 100_000)),
        choices(torn, k=effort(20_000, 100_000)),
    ):
        text = tok.decode_bytes(ids).decode("utf-8", "replace")
        assert "".join(streamed(tok, ids)) == tok.decode(ids) == text


def test_D03_orphans_and_halves_before_a_word() -> None:
    tok = Tokenizer.from_merges([(b" ", b"x")])
    assert streamed(tok, [0x80, 0xBF, 256]) == ["\ufffd", "\ufffd", " x", ""]
    assert streamed(tok, [0xE6, 0x9D, 256, 0xB1]) == ["", "", "\ufffd x", "\ufffd", ""]
    assert streamed(tok, [0xF0, 0x9F, 0xE6, 0x9D, 0xB1]) == ["", "", "\ufffd", "", "東", ""]
    assert streamed(tok, [0xED, 0xA0, 0x80]) == ["", "\ufffd\ufffd", "\ufffd", ""]


# ------------------------------------------------------------------ D05: the end


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_D05_a_torn_end_is_shown(cut: int) -> None:
    tok = Tokenizer.from_merges([])
    ids = [*"a\n🌍".encode()][:-cut]
    assert streamed(tok, ids) == ["a", "\n", *[""] * (4 - cut), "\ufffd"]
    assert tok.decode(ids) == "a\n\ufffd"
    stream = tok.stream()
    for id in "a\n🌍".encode():
        stream.push(id)
    assert (stream.finish(), stream.finish()) == ("", "")


def test_D05_nothing_is_nothing() -> None:
    tok = trained("gpt2")
    assert (tok.decode([]), tok.decode_bytes([]), tok.decode_batch([[], []])) == ("", b"", ["", ""])
    assert tok.decode(np.array([], np.uint32)) == ""
    assert streamed(tok, []) == [""]
    assert command("decode", "-t", "gpt2").out == b""
    assert command("decode", "-t", "gpt2", stdin=b"[]").out == b""


# ------------------------------------------------------------------ D06: the bytes of one id


@pytest.mark.parametrize("name", LOADED)
def test_D06_every_id_has_bytes_of_its_own(name: str) -> None:
    tok = bytepair.load(name)
    tokens = {id: tok.token_bytes(id) for id in [*tok.vocab, *tok.special_tokens.values()]}
    assert len(tokens) == len(tok)
    assert {id: tokens[id] for id in tok.vocab} == tok.vocab
    for text in [*SPEECH, "".join(FRAGMENTS)]:
        ids = tok.encode(text)
        assert b"".join(tokens[id] for id in ids) == tok.normalize(text).encode()
        assert b"".join(tok.decode_bytes([id]) for id in ids) == tok.decode_bytes(ids)


def test_D06_halves_of_characters_have_a_printable_form() -> None:
    shown = json.loads(command("show", "-t", "gpt2", "--json", "東🌍").out)
    tokens = shown["results"][0]["tokens"]
    texts = [r"\xe6\x9d", r"\xb1", r"\xf0\x9f", r"\x8c", r"\x8d"]
    assert [token["text"] for token in tokens] == texts
    assert b"".join(bytes.fromhex(token["hex"]) for token in tokens) == "東🌍".encode()


# ------------------------------------------------------------------ D08: added tokens

# Letters that stand for bytes in GPT-2's byte alphabet, and letters that do not.
ADDED = ["đem", "Öl", "Ôme", "ilâveyou", "Ġ ", "Ċč", "café", "東京", " \n", "ĉĊč"]


@pytest.mark.parametrize("special", [True, False])
@pytest.mark.parametrize("added", ADDED)
def test_D08_added_tokens_decode_to_their_text(tmp_path: Path, added: str, special: bool) -> None:
    trained("gpt2").save(tmp_path / "tokenizer.json")
    content: dict[str, Any] = json.loads((tmp_path / "tokenizer.json").read_text())
    entry = {"id": 600, "content": added, "special": special, "normalized": False}
    content["added_tokens"].append(entry)
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    tok = bytepair.load(tmp_path / "tokenizer.json")
    tok.save(tmp_path / "again.json")
    for found in (tok, bytepair.load(tmp_path / "again.json")):
        ids = found.encode(f"a{added}b", allowed_special="all")
        assert 600 in ids
        assert found.decode(ids) == f"a{added}b"
        assert found.decode([600]) == added
        assert found.token_bytes(600) == added.encode()
        assert "".join(streamed(found, ids)) == f"a{added}b"
        shown = " ".join(map(str, ids)).encode()
        assert (
            command("decode", "-t", tmp_path / "again.json", stdin=shown).out
            == f"a{added}b".encode()
        )


@pytest.mark.parametrize("letter", ["č", "Ċ", "é", "Ġ"])
def test_D08_a_letter_that_a_file_holds_for_a_byte_is_refused_there(
    tmp_path: Path, letter: str
) -> None:
    tok = trained("gpt2").with_special_tokens({letter: 600})
    ids = tok.encode(f"a{letter}\r", allowed_special="all")
    assert ids == [97, 600, 13]
    assert tok.decode(ids) == f"a{letter}\r"
    with pytest.raises(FormatError, match=f"tokenizer.json cannot hold .*`{letter}`"):
        tok.save(tmp_path / "tokenizer.json")
    tok.save(tmp_path / "mine.tiktoken")
    assert bytepair.load(tmp_path / "mine.tiktoken").decode(ids) == f"a{letter}\r"


# ------------------------------------------------------------------ D10: ids that nothing holds


@pytest.mark.parametrize("id", [100_256, 100_261, 100_277, -1, 2**31, 2**32, 2**64, -(2**63)])
def test_D10_an_id_that_nothing_holds_is_named(id: int) -> None:
    tok = bytepair.load("cl100k_base")
    ids = [97, 98, id]
    for decode in (tok.decode, tok.decode_bytes):
        with pytest.raises(VocabError, match=f"the id `{id}` at position 2"):
            decode(ids)
        with pytest.raises(VocabError, match=f"the id `{id}` at position 2"):
            decode(iter(ids))
    with pytest.raises(VocabError, match=f"{id}"):
        tok.token_bytes(id)
    with pytest.raises(VocabError, match=f"the id `{id}`"):
        tok.stream().push(id)
    known = tok.decode(ids[:2])
    assert tok.decode(ids, unknown="replace") == known + "\ufffd"
    assert tok.decode(ids, unknown="ignore") == known
    if -(2**63) <= id < 2**63:
        with pytest.raises(VocabError, match=f"the id `{id}` at position 2"):
            tok.decode(np.array(ids, np.int64))
    failed = command("decode", "-t", "cl100k_base", stdin=" ".join(map(str, ids)).encode())
    assert failed.code in (1, 2)
    assert str(id) in failed.err


# ------------------------------------------------------------------ D11: errors in a batch


@pytest.mark.parametrize("rows", [2, 1000])
def test_D11_the_row_of_a_bad_id_is_named(rows: int) -> None:
    tok = trained("gpt2")
    batch = [[97, 98]] * (rows - 1) + [[99, 10**6]]
    with pytest.raises(VocabError) as error:
        tok.decode_batch(batch)
    with pytest.raises(VocabError) as alone:
        tok.decode(batch[-1])
    assert error.value.message == f"row {rows - 1}: {alone.value.message}"
    assert tok.decode_batch(batch[:-1]) == ["ab"] * (rows - 1)


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("call", ["encode_batch", "encode_batch_to_numpy"])
def test_D11_encoding_fails_as_a_single_text_does(call: str, threads: int) -> None:
    tok = trained("gpt2")
    texts = ["fine"] * 700 + ["x <|a|>", "<|a|>"] + ["fine"] * 700
    with pytest.raises(SpecialTokenError) as alone:
        tok.encode(texts[700], disallowed_special="all")
    for _ in range(5):
        with pytest.raises(SpecialTokenError) as error:
            getattr(tok, call)(texts, threads=threads, disallowed_special="all")
        assert str(error.value) == str(alone.value)
        assert error.value.__notes__ == ["in text 700 of the batch"]


# ------------------------------------------------------------------ D13: cutting to size

EMOJI = "👨\u200d👩\u200d👧 naïve 東京🌍\n🇩🇪 x"


@pytest.mark.parametrize("name", LOADED)
def test_D13_texts_are_cut_between_characters(name: str) -> None:
    tok = bytepair.load(name)
    for n in range(tok.count(EMOJI) + 2):
        first, last = tok.truncate(EMOJI, n), tok.truncate(EMOJI, n, "left")
        assert EMOJI.startswith(first)
        assert EMOJI.endswith(last)
        assert max(tok.count(first), tok.count(last)) <= n
        assert tok.truncate(EMOJI.encode(), n) == first.encode()
        if n >= 6:
            assert "".join(tok.chunks(EMOJI, n)) == EMOJI
    assert tok.truncate(EMOJI, tok.count(EMOJI)) == EMOJI


def test_D13_ids_that_were_cut_decode_as_they_are_told() -> None:
    tok = bytepair.load("gpt2")
    ids = tok.encode("a🌍")[:-1]
    assert tok.decode_bytes(ids) == "a🌍".encode()[: len(tok.decode_bytes(ids))]
    assert tok.decode(ids) == "a\ufffd"
    assert tok.decode(ids, errors="ignore") == "a"
    with pytest.raises(UnicodeDecodeError):
        tok.decode(ids, errors="strict")
