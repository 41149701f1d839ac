"""The known figures of real models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bytepair

from .conftest import load

FACTS = json.loads(
    (Path(__file__).parent.parent / "golden" / "seed_facts.json").read_text(encoding="utf-8")
)
CHINESE = FACTS["tokenizers_zh"]
SAMPLES = FACTS["tokenizers_samples"]


@pytest.mark.parametrize("name", ["o200k_base", "deepseek_v3", "glm4", "qwen2.5"])
def test_ids_of_the_chinese_sentence(name):
    assert load(name).encode(CHINESE["text"]) == CHINESE[name]["ids"]
    assert load(name).decode(CHINESE[name]["ids"]) == CHINESE["text"]


def test_pieces_of_the_chinese_sentence_in_cl100k():
    tok, expected = load("cl100k_base"), CHINESE["cl100k_base"]
    ids = tok.encode(CHINESE["text"])
    assert len(ids) == expected["count"]
    assert [piece(tok.token_bytes(id)) for id in ids] == expected["pieces_hex_or_text"]


def piece(token: bytes) -> str:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return token.hex()


@pytest.mark.parametrize("text", SAMPLES["counts"])
def test_counts(text):
    expected = dict(SAMPLES["counts"][text])
    assert len(text.encode()) == expected.pop("bytes")
    assert {name: load(name).count(text) for name in expected} == expected


@pytest.mark.parametrize(("text", "ids"), SAMPLES["gpt2_ids"].items())
def test_ids_in_gpt2(text, ids):
    assert load("gpt2").encode(text) == ids


@pytest.mark.parametrize("name", SAMPLES["digits"])
def test_digits(name):
    tok = load(name)
    for digits, pieces in SAMPLES["digits"][name].items():
        assert [tok.decode([id]) for id in tok.encode(digits)] == pieces


def test_the_glitch_token_of_gpt2():
    assert len(load("gpt2").encode(" SolidGoldMagikarp")) == 1


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("cl100k_base", "cl100k_base"),
        ("o200k_base", "o200k_base"),
        ("deepseek_v3", "DeepSeek-V3"),
        ("glm4", "GLM-4-9B"),
        ("qwen2.5", "Qwen2.5"),
    ],
)
def test_published_sizes(name, published):
    assert bytepair.info(name).published_vocab_size == FACTS["vocab_sizes"][published]


@pytest.mark.parametrize(
    ("name", "tokens", "vocab_size", "published"),
    [
        ("gpt2", 50257, 50257, 50257),
        ("r50k_base", 50257, 50257, 50257),
        ("p50k_base", 50281, 50281, 50281),
        ("p50k_edit", 50284, 50284, 50284),
        ("cl100k_base", 100261, 100277, 100277),
        ("o200k_base", 200000, 200019, 200019),
        ("o200k_harmony", 201088, 201088, 201088),
        ("qwen2.5", 151665, 151665, 152064),
        ("qwen3", 151669, 151669, 151936),
        ("deepseek_v3", 128815, 128815, 129280),
        ("glm4", 151365, 151365, 151552),
        ("kimi_k2", 163840, 163840, 163840),
    ],
)
def test_the_three_sizes(name, tokens, vocab_size, published):
    tok, recipe = load(name), bytepair.info(name)
    assert (len(tok), tok.vocab_size) == (tokens, vocab_size)
    assert (recipe.tokens, recipe.vocab_size) == (tokens, vocab_size)
    assert recipe.published_vocab_size == published
    assert len(tok.gaps) == vocab_size - tokens


def test_gaps():
    assert list(load("cl100k_base").gaps) == [100256, *range(100261, 100276)]
    assert list(load("o200k_base").gaps) == [199998, *range(200000, 200018)]
    assert list(load("p50k_base").gaps) == []


def test_qwen_composes_before_it_encodes():
    for name in ("qwen2.5", "qwen3"):
        tok = load(name)
        assert tok.normalize("e\u0301") == "é"
        assert tok.encode("e\u0301") == tok.encode("é")
    for name in set(bytepair.names()) - {"qwen2.5", "qwen3"}:
        assert load(name).normalize("e\u0301") == "e\u0301"


@pytest.mark.parametrize(
    ("name", "length"), [("glm4", 512), ("kimi_k2", 256), ("o200k_base", 128), ("cl100k_base", 128)]
)
def test_the_longest_tokens_are_whole(name, length):
    assert max(map(len, load(name).vocab.values())) == length
