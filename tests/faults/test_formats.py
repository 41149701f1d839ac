"""Faults in files: what was lost, moved or misread between formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tokenizers
from effort import EXHAUSTIVE
from entry_points import command, ids_of
from hard_texts import CORPUS, FRAGMENTS, NAMES, trained
from tiktoken.load import load_tiktoken_bpe

import bytepair
from bytepair import FormatError, Tokenizer

PROBES = [
    *CORPUS,
    "".join(FRAGMENTS),
    "a" + " " * 40 + "b" + "\n" * 9 + "12345678 " * 3,
    "今天西安的天气怎么样？" * 3,
]
BYTES = {byte: bytes([byte]) for byte in range(256)}


def theirs(path: Path, text: str) -> list[int]:
    return tokenizers.Tokenizer.from_file(str(path)).encode(text, add_special_tokens=False).ids


# ------------------------------------------------------------------ F01: ranks into merges and back


@pytest.mark.parametrize("name", [*NAMES, *(bytepair.names() if EXHAUSTIVE else ["cl100k_base"])])
def test_F01_ranks_to_merges_to_ranks(tmp_path: Path, name: str) -> None:
    """The first `.tiktoken` file and the last are the same bytes, and all who read what lies
    between give the same ids."""
    tok = trained(name) if name in NAMES else bytepair.load(name)
    if name in NAMES:
        blanks = ["x" + " " * n + "y" for n in range(2, 30)]
        tok = bytepair.train([*CORPUS, *blanks], 600, pattern=name, special_tokens=["<|a|>"])
    tok.save(tmp_path / "first.tiktoken")
    ranks = bytepair.load(tmp_path / "first.tiktoken")
    ranks.save(tmp_path / "tokenizer.json")
    merges = bytepair.load(tmp_path / "tokenizer.json")
    merges.save(tmp_path / "last.tiktoken")
    first, last = ((tmp_path / f"{n}.tiktoken").read_bytes() for n in ("first", "last"))
    assert first == last
    assert ranks.merges == merges.merges == tok.merges
    for text in PROBES:
        ids = ids_of(tok, text, allowed_special="all")
        assert ids == ranks.encode(text, allowed_special="all")
        assert ids == merges.encode(text, allowed_special="all")
        assert ids == theirs(tmp_path / "tokenizer.json", text)
    if isinstance(tok.pattern, str) and tok.normalization is None:
        judge = tiktoken.Encoding(
            name,
            pat_str=tok.pattern,
            mergeable_ranks=load_tiktoken_bpe(str(tmp_path / "last.tiktoken")),
            special_tokens=tok.special_tokens,
        )
        for text in PROBES:
            assert judge.encode_ordinary(text) == tok.encode(text)


# ------------------------------------------------------------------ F03: both ways to write merges


def spelt(tmp_path: Path, **model: Any) -> Path:
    """A tokenizer.json with entries of its model changed."""
    trained("gpt2").save(tmp_path / "tokenizer.json")
    content = json.loads((tmp_path / "tokenizer.json").read_text())
    content["model"] |= model
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(content))
    return path


def test_F03_merges_as_pairs_and_as_strings(tmp_path: Path) -> None:
    tok = trained("gpt2")
    merges = json.loads(spelt(tmp_path).read_text())["model"]["merges"]
    pairs = [merge.split(" ") if isinstance(merge, str) else merge for merge in merges]
    strings = [" ".join(pair) for pair in pairs]
    for way in (pairs, strings, [*pairs[:5], *strings[5:]]):
        path = spelt(tmp_path, merges=way)
        found = bytepair.load(path)
        assert found == tok
        for text in PROBES:
            assert ids_of(found, text) == tok.encode(text)
    for way in (pairs, strings):
        path = spelt(tmp_path, merges=way)
        assert [theirs(path, text) for text in CORPUS] == [
            tok.encode(text, allowed_special="all") for text in CORPUS
        ]


def test_F03_no_merges_with_a_vocabulary_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="merges"):
        bytepair.load(spelt(tmp_path, merges=[]))
    done = command("encode", "-t", tmp_path / "changed.json", stdin=b"a")
    assert done.code == 1
    assert "merges" in done.err
    # 256 bytes alone need none.
    Tokenizer.from_merges([]).save(tmp_path / "bytes.json")
    assert bytepair.load(tmp_path / "bytes.json").encode("ab") == [97, 98]


# ------------------------------------------------------------------ F04: holes


@pytest.mark.parametrize("order", [(".tiktoken", ".json"), (".json", ".tiktoken")])
def test_F04_ids_stay_where_they_are(tmp_path: Path, order: tuple[str, str]) -> None:
    tok = trained("cl100k", 300)
    specials = {"[PAD]": 500 + 339, "[EOS]": 500, "<|x y|>": 777}
    tok = Tokenizer.from_merges(tok.merges, pattern=tok.pattern, special_tokens=specials)
    assert tok.gaps
    assert len([gap for gap in tok.gaps if gap < 500]) > 200
    found = tok
    for number, suffix in enumerate([*order, order[0]]):
        path = tmp_path / f"{number}{suffix}"
        found.save(path)
        found = bytepair.load(path)
        assert found == tok
        assert found.special_tokens == specials
        assert (found.gaps, found.vocab_size, found.pattern) == (tok.gaps, 840, tok.pattern)
        for text in [*CORPUS, "a[PAD]b[EOS] <|x y|>"]:
            ids = ids_of(found, text, file=path, allowed_special="all")
            assert ids == tok.encode(text, allowed_special="all")
            if suffix == ".json":
                assert theirs(path, text) == ids
    judge = tokenizers.Tokenizer.from_file(str(path if suffix == ".json" else tmp_path / "1.json"))
    assert {text: judge.token_to_id(text) for text in specials} == specials


def test_F04_a_hole_among_the_ranks_is_kept(tmp_path: Path) -> None:
    ranks = {token: byte for byte, token in BYTES.items()} | {b"ab": 300, b"abc": 900}
    tok = Tokenizer.from_ranks(ranks, pattern="gpt2", special_tokens={"<s>": 1500})
    for name in ("mine.tiktoken", "mine.json"):
        tok.save(tmp_path / name)
        assert bytepair.load(tmp_path / name) == tok
    assert load_tiktoken_bpe(str(tmp_path / "mine.tiktoken")) == ranks


# ------------------------------------------------------------------ F07: truncation, padding


def test_F07_what_a_file_says_of_truncation_and_padding_plays_no_part(tmp_path: Path) -> None:
    trained("gpt2").save(tmp_path / "tokenizer.json")
    content = json.loads((tmp_path / "tokenizer.json").read_text())
    content["truncation"] = {
        "direction": "Right",
        "max_length": 4,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    content["padding"] = {
        "strategy": {"Fixed": 64},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "!",
    }
    path = tmp_path / "short.json"
    path.write_text(json.dumps(content))
    tok = bytepair.load(path)
    for text in ("hello world", "x", "", "the cat sat on the mat " * 50):
        assert ids_of(tok, text, file=path) == trained("gpt2").encode(text)
    assert tok.count("hello world") > 4
    # The probe is one: their library obeys the file.
    assert len(tokenizers.Tokenizer.from_file(str(path)).encode("hello world").ids) == 64


# ------------------------------------------------------------------ F10: nothing is lost by saving


@pytest.mark.parametrize("flag", [True, False])
def test_F10_ignore_merges_is_saved(tmp_path: Path, flag: bool) -> None:
    vocab = BYTES | {256: b"ab", 257: b"abc", 258: b"xyz"}
    merges = [(b"a", b"b"), (b"ab", b"c")]
    tok = Tokenizer.from_merges(merges, vocab=vocab, ignore_merges=flag)
    path = tmp_path / "tokenizer.json"
    for _ in range(3):
        tok.save(path)
        tok = bytepair.load(path)
        assert tok.ignore_merges is flag
        assert json.loads(path.read_text())["model"]["ignore_merges"] is flag
        assert ids_of(tok, "xyz", file=path) == ([258] if flag else [*b"xyz"])
        assert theirs(path, "xyz abc") == tok.encode("xyz abc")
    assert tok.merges == merges


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "deepseek_v3", "qwen3"])
def test_F10_merges_and_ids_are_what_they_were(tmp_path: Path, name: str) -> None:
    tok = bytepair.load(name)
    tok.save(tmp_path / "tokenizer.json")
    again = bytepair.load(tmp_path / "tokenizer.json")
    assert (again.merges, again.vocab) == (tok.merges, tok.vocab)
    # Fewer merges are a prefix, and more special tokens change no other id.
    assert tok.truncated(5_000).merges == tok.merges[: len(tok.truncated(5_000).merges)]
    more = tok.with_special_tokens(["<|new|>"])
    assert (more.merges, more.vocab) == (tok.merges, tok.vocab)
    assert all(more.encode(text) == tok.encode(text) for text in CORPUS)
