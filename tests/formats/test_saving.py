"""What is saved loads again as the same tokenizer; what a format cannot hold is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hard_texts import NAMES, SPECIAL_TOKENS, normalizing, trained

import bytepair
from bytepair import FormatError, Tokenizer

BYTES = {bytes([byte]): byte for byte in range(256)}


def tokenizers() -> dict[str, Tokenizer]:
    toks = {name: trained(name) for name in NAMES}
    toks["normalizing"] = normalizing()
    toks["no pattern"] = Tokenizer.from_merges([(b"a", b"b")], pattern=None)
    toks["two stages"] = Tokenizer.from_merges([(b"a", b"b")], pattern=(r"\s+", r"(?i:x)\d{1,3}"))
    toks["two stages over bytes"] = Tokenizer.from_merges(
        [(b"a", b"b")], pattern=("gpt2", r"(?#byte alphabet)\p{N}", r"(?#byte alphabet)[À-ÿ]+$")
    )
    for normalization in ("prefix_space", "nfc+prefix_space"):
        for pattern in ("gpt2", None, r"(?#byte alphabet)\p{N}"):
            toks[f"{normalization}, {pattern}"] = Tokenizer.from_merges(
                [(b"a", b"b"), (b" ", b"ab")], pattern=pattern, normalization=normalization
            )
    toks["by ranks, with gaps"] = Tokenizer.from_ranks(
        BYTES | {b"ab": 300, b"abc": 310}, pattern="cl100k", special_tokens={"<s>": 305, "é<": 400}
    )
    return toks


TOKENIZERS = tokenizers()
TEXT = "the cat's hat, don't! <|a|>é ab abc 中文 12345\n\n  x <s>"


def same(left: Tokenizer, right: Tokenizer) -> None:
    assert left == right
    assert left.fingerprint == right.fingerprint
    for allowed in ((), "all"):
        assert left.encode(TEXT, allowed_special=allowed) == (  # type: ignore[arg-type]
            right.encode(TEXT, allowed_special=allowed)  # type: ignore[arg-type]
        )
    assert left.pattern == right.pattern
    assert left.special_tokens == right.special_tokens
    assert left.vocab == right.vocab
    assert left.merges == right.merges


# ------------------------------------------------------------------ round trips


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("file", ["tok.json", "tok.tiktoken"])
def test_round_trips(tmp_path: Path, name: str, file: str) -> None:
    tok = TOKENIZERS[name]
    tok.save(tmp_path / file)
    same(tok, bytepair.load(tmp_path / file))
    beside = [] if file.endswith(".json") else [f"{file}.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [file, *beside]


@pytest.mark.parametrize("name", ["gpt2", "qwen2.5", "deepseek_v3", "o200k_base"])
@pytest.mark.parametrize("suffix", ["json", "tiktoken"])
def test_bundled_tokenizers_make_the_round_trip(tmp_path: Path, name: str, suffix: str) -> None:
    tok = bytepair.load(name)
    tok.save(tmp_path / f"tok.{suffix}")
    same(tok, bytepair.load(tmp_path / f"tok.{suffix}"))


def test_a_tokenizer_that_cannot_be_ranks(tmp_path: Path) -> None:
    vocab = dict(enumerate(BYTES)) | {256: b"abc", 257: b"ab", 258: b"unmade"}
    merges = [(b"a", b"b"), (b"ab", b"c")]
    for options in ({}, {"ignore_merges": True}):
        tok = Tokenizer.from_merges(merges, vocab=vocab, **options)  # type: ignore[arg-type]
        tok.save(tmp_path / "tok.json")
        same(tok, bytepair.load(tmp_path / "tok.json"))
        with pytest.raises(FormatError, match=r"\.tiktoken cannot hold these merges.*token `abc?`"):
            tok.save(tmp_path / "tok.tiktoken")
    straight = Tokenizer.from_merges(
        [(b"a", b"b")], vocab=dict(enumerate(BYTES)) | {256: b"ab", 257: b"unmade"}
    )
    with pytest.raises(FormatError, match="cannot hold tokens that no merge makes"):
        straight.save(tmp_path / "tok.tiktoken")
    assert [path.name for path in tmp_path.iterdir()] == ["tok.json"]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d{1,2}+|[[:alpha:]]+|[\w-]|\s$",
        r"(?m:^)\S+(?m:$)",
        r"a\z",
        r"(?>\d{1,2})",
        "(?i:k)[^\\w]",
    ],
)
def test_a_pattern_that_must_be_rewritten_comes_back(tmp_path: Path, pattern: str) -> None:
    tok = Tokenizer.from_merges([(b"a", b"b")], pattern=pattern)
    tok.save(tmp_path / "tok.json")
    same(tok, bytepair.load(tmp_path / "tok.json"))
    # Another program may keep the rewritten pattern alone: its meaning is the same.
    content = json.loads((tmp_path / "tok.json").read_text())
    content["pre_tokenizer"]["pretokenizers"][0].pop("bytepair", None)
    (tmp_path / "tok.json").write_text(json.dumps(content))
    again = bytepair.load(tmp_path / "tok.json")
    for text in (TEXT, "é1\u200d2-3 ", "12345 ab²", "a\nb\n"):
        assert again.pretokens(text) == tok.pretokens(text)
    again.save(tmp_path / "again.json")
    same(bytepair.load(tmp_path / "again.json"), again)


def test_special_tokens_first(tmp_path: Path) -> None:
    tok = bytepair.train(
        ["the cat in the hat"], 262, special_tokens=SPECIAL_TOKENS, special_first=True
    )
    assert tok.special_tokens["<|a|>"] == 0
    for file in ("tok.json", "tok.tiktoken"):
        tok.save(tmp_path / file)
        same(tok, bytepair.load(tmp_path / file))


# ------------------------------------------------------------------ formats


def test_the_suffix_decides_unless_a_format_is_given(tmp_path: Path) -> None:
    tok = trained("gpt2")
    tok.save(tmp_path / "a.bin", format="huggingface")
    tok.save(tmp_path / "b.json", format="tiktoken")
    tok.save(str(tmp_path / "c.json"))
    assert json.loads((tmp_path / "a.bin").read_text())["model"]["type"] == "BPE"
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "c.json").read_bytes()
    assert (tmp_path / "b.json").read_bytes().startswith(b"AA== 0\n")
    same(tok, bytepair.load(tmp_path / "a.bin"))


@pytest.mark.parametrize("file", ["tok", "tok.txt", "tok.gguf", "tok.JSONL"])
def test_other_suffixes_are_refused(tmp_path: Path, file: str) -> None:
    with pytest.raises(FormatError, match=r"is none that a tokenizer is written in") as error:
        trained("gpt2").save(tmp_path / file)
    assert file in str(error.value)
    assert 'format="huggingface"' in str(error.value.hint)
    with pytest.raises(FormatError, match="format `bpe`"):
        trained("gpt2").save(tmp_path / "tok.json", format="bpe")
    assert list(tmp_path.iterdir()) == []


def test_what_tokenizer_json_cannot_hold_is_refused_by_name(tmp_path: Path) -> None:
    vocab = dict(enumerate(BYTES)) | {256: b"ab"}
    refused: dict[str, Tokenizer] = {
        "without merges": Tokenizer.from_merges([], vocab=vocab),
        # The blank before `a` is written as `Ġ`, so this text is that token there.
        "the added token `Ġa`": Tokenizer.from_merges([(b" ", b"a")], special_tokens={"Ġa": 300}),
        # There `é` is the byte 0xE9.
        "the added token `é`": Tokenizer.from_merges([], special_tokens=["é"]),
        "may match the empty text": Tokenizer.from_merges([(b"a", b"b")], pattern=r"\s*"),
        "a blank before the text with the pattern": Tokenizer.from_merges(
            [(b"a", b"b")], pattern="o200k", normalization="prefix_space"
        ),
        "(?s": Tokenizer.from_merges([(b"a", b"b")], pattern=r"(?s:.)x"),
    }
    for pattern in (r"\bx", r"(?i:ss)", r"(?i:\p{Lu})", r"(?i:ß)"):
        refused[pattern] = Tokenizer.from_merges([(b"a", b"b")], pattern=pattern)
    for named, tok in refused.items():
        with pytest.raises(FormatError) as error:
            tok.save(tmp_path / "tok.json")
        assert "tokenizer.json cannot hold" in str(error.value)
        assert named in str(error.value)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ whole or not at all


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "tok.json"
    path.write_text("old")
    inode = path.stat().st_ino
    trained("gpt2").save(path)
    assert path.stat().st_ino != inode
    assert [each.name for each in tmp_path.iterdir()] == ["tok.json"]


def test_a_save_that_fails_changes_nothing(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "tok.tiktoken"
    trained("gpt2").save(path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FormatError, match=r"tok\.tiktoken.*` cannot be written: No space left"):
        trained("o200k").save(path)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_places_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.json").mkdir()
    for place in ("absent/tok.json", "file/tok.json", "folder.json"):
        with pytest.raises(FormatError) as error:
            trained("gpt2").save(tmp_path / place)
        assert f"`{tmp_path / place}` cannot be written" in str(error.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.json"]


@pytest.mark.parametrize("kind", ["json", "tiktoken"])
def test_saving_is_deterministic(tmp_path: Path, kind: str) -> None:
    for number in range(2):
        trained("deepseek_v3").save(tmp_path / f"{number}.{kind}")
    assert (tmp_path / f"0.{kind}").read_bytes() == (tmp_path / f"1.{kind}").read_bytes()
