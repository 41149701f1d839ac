"""Other libraries load what is saved, and give the same ids."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import pytest
import tiktoken
import tokenizers
from effort import effort
from hard_texts import CORPUS, FRAGMENTS, NAMES, SPECIAL_TOKENS, TEXTS, normalizing, trained
from hypothesis import given, settings
from tiktoken.load import load_tiktoken_bpe

import bytepair
from bytepair import Tokenizer

# Each for one thing that two engines of regular expressions read differently.
OWN_PATTERNS = {
    "end of the text": r"\s+$|\S+",
    "start of the text": r"^\w|\w+",
    "counted and possessive": r"\p{N}{1,3}+|\D{2,4}+",
    "counted, then repeated": r"(?:[a-z]{2,3})+",
    "look-around": r"(?<=[a-z])[A-Z]+|\s+(?!\S)|(?<!\d)\d",
    "classes": r"[^\s\p{L}\p{N}'&&[^x]]+|[[:alpha:]_]+|[\r\n\-\]]|[^[:^space:]\w]+",
    "POSIX classes": r"[[:punct:]]+|[[:upper:]]+|[[:digit:][:cntrl:]]|[^[:alnum:]]+",
    "atomic": r"(?>[a-z]+|[0-9]+)x?",
    "without case": r"(?i:'s|'ll|k|[x-z])|\w|(?i)html[^a]",
    "lazy": r"\w+?(?=\d)|\s*?\n",
    "white space": r"\s|\S",
    "words and digits": r"\w+|\d|\W",
    "dot": r".+",
    "several stages": (r"\d", r"[A-Z]+[a-z]*|\s+"),
    "none": None,
}


def tokenizer(name: str) -> Tokenizer:
    if name == "normalizing":
        return normalizing()
    if name in NAMES:
        return trained(name)
    tok = trained("gpt2")
    return Tokenizer.from_merges(
        tok.merges, pattern=OWN_PATTERNS[name], special_tokens=tok.special_tokens
    )


@functools.cache
def judge(name: str) -> tokenizers.Tokenizer:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tokenizer.json")
        tokenizer(name).save(path)
        return tokenizers.Tokenizer.from_file(str(path))


def judged(name: str, text: str) -> list[int]:
    return judge(name).encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize("name", [*NAMES, "normalizing", *OWN_PATTERNS])
@settings(max_examples=effort(200))
@given(text=TEXTS)
def test_hugging_face_gives_the_same_ids(name: str, text: str) -> None:
    assert judged(name, text) == tokenizer(name).encode(text, allowed_special="all")


@pytest.mark.parametrize("name", [*NAMES, "normalizing", *OWN_PATTERNS])
def test_hugging_face_on_whole_texts(name: str) -> None:
    tok = tokenizer(name)
    for text in [*CORPUS, *FRAGMENTS, *SPECIAL_TOKENS, "x<|a|>>y é< <|a|>\n"]:
        ids = tok.encode(text, allowed_special="all")
        assert judged(name, text) == ids
        if "é<" not in text:  # it takes the `é` of this special token for a byte
            assert judge(name).decode(ids, skip_special_tokens=False) == tok.decode(ids)
            assert judge(name).decode(ids) == tok.decode(ids, skip_special=True)


@pytest.mark.parametrize("special_first", [False, True])
def test_hugging_face_has_the_same_special_ids(tmp_path: Path, special_first: bool) -> None:
    tok = bytepair.train(
        CORPUS, 300, special_tokens=SPECIAL_TOKENS, special_first=special_first, ties="huggingface"
    )
    tok.save(tmp_path / "tokenizer.json")
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert {text: theirs.token_to_id(text) for text in SPECIAL_TOKENS} == tok.special_tokens
    assert theirs.get_vocab_size() == len(tok)
    for text in CORPUS:
        assert theirs.encode(text, add_special_tokens=False).ids == tok.encode(
            text, allowed_special="all"
        )


def test_hugging_face_has_the_same_ids_where_ids_have_gaps(tmp_path: Path) -> None:
    tok = Tokenizer.from_merges(
        [(b"a", b"b")],
        vocab={byte + 5: bytes([byte]) for byte in range(256)} | {1000: b"ab"},
        special_tokens={"<s>": 2, "<t>": 500, "<u>": 5000},
    )
    tok.save(tmp_path / "tokenizer.json")
    assert bytepair.load(tmp_path / "tokenizer.json") == tok
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    text = "ab<s> b<t>a<u>"
    assert theirs.encode(text, add_special_tokens=False).ids == tok.encode(
        text, allowed_special="all"
    )


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "qwen2.5", "deepseek_v3"])
def test_hugging_face_takes_bundled_ones(tmp_path: Path, name: str) -> None:
    tok = bytepair.load(name)
    tok.save(tmp_path / "tokenizer.json")
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text in [*CORPUS, *FRAGMENTS, "".join(FRAGMENTS)]:
        assert theirs.encode(text, add_special_tokens=False).ids == tok.encode(
            text, allowed_special="all"
        )
    for text, id in tok.special_tokens.items():
        assert theirs.token_to_id(text) == id


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "llama3", "qwen2"])
def test_tiktoken_reads_the_ranks(tmp_path: Path, name: str) -> None:
    tok = trained(name)
    tok.save(tmp_path / "tok.tiktoken")
    ranks = load_tiktoken_bpe(str(tmp_path / "tok.tiktoken"))
    assert ranks == {token: id for id, token in tok.vocab.items()}
    assert isinstance(tok.pattern, str)
    # Of two that start at one place tiktoken takes whichever comes first in a table of its own.
    apart = {text: id for text, id in tok.special_tokens.items() if text != "<|a|>>"}
    theirs = tiktoken.Encoding(
        name, pat_str=tok.pattern, mergeable_ranks=ranks, special_tokens=apart
    )
    for text in [*CORPUS, *FRAGMENTS, "".join(FRAGMENTS)]:
        assert theirs.encode(text, allowed_special="all") == tok.encode(text, allowed_special=apart)
