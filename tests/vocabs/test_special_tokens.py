"""The special tokens of the bundled tokenizers, and what they do to a text."""

from __future__ import annotations

import pytest
import tiktoken.load
import tiktoken_ext.openai_public as published

from .conftest import load

OPENAI = ["gpt2", "r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base"]


@pytest.fixture
def without_ranks(monkeypatch):
    """tiktoken's own recipes, without the ranks that it would download."""
    for function in ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks"):
        monkeypatch.setattr(published, function, lambda *_, **__: {})


@pytest.mark.parametrize("name", [*OPENAI, "o200k_harmony"])
def test_patterns_are_those_of_tiktoken(name, without_ranks):
    assert load(name).pattern == published.ENCODING_CONSTRUCTORS[name]()["pat_str"]


@pytest.mark.parametrize("name", OPENAI)
def test_special_tokens_are_those_of_tiktoken(name, without_ranks):
    expected = published.ENCODING_CONSTRUCTORS[name]()["special_tokens"]
    assert load(name).special_tokens == expected


def test_special_tokens_of_harmony_are_tiktokens_but_for_the_shared_id(without_ranks):
    expected = published.o200k_harmony()["special_tokens"]
    assert expected.pop("<|reserved_200018|>") == expected["<|endofprompt|>"] == 200018
    assert load("o200k_harmony").special_tokens == expected
    assert sorted(expected.values()) == list(range(199998, 201088))


def test_special_tokens_of_qwen():
    qwen3 = load("qwen3").special_tokens
    assert len(qwen3) == 26
    assert qwen3["<|endoftext|>"] == 151643
    assert qwen3["</think>"] == 151668
    assert load("qwen2.5").special_tokens == {t: id for t, id in qwen3.items() if id < 151665}


def test_special_tokens_of_deepseek():
    tokens = load("deepseek_v3").special_tokens
    assert sorted(tokens.values()) == [0, 1, 2, *range(128000, 128815)]
    assert tokens["<｜begin▁of▁sentence｜>"] == 0
    assert tokens["<｜Assistant｜>"] == 128804


def test_special_tokens_of_glm():
    tokens = load("glm4").special_tokens
    assert sorted(tokens.values()) == list(range(151329, 151365))
    assert (tokens["[gMASK]"], tokens["<sop>"], tokens["<|video|>"]) == (151331, 151333, 151364)


def test_special_tokens_of_kimi():
    tokens = load("kimi_k2").special_tokens
    assert sorted(tokens.values()) == list(range(163584, 163840))
    assert (tokens["[BOS]"], tokens["<|im_middle|>"], tokens["[PAD]"]) == (163584, 163601, 163839)
    assert sum(not text.startswith("<|reserved_token_") for text in tokens) == 17


def test_no_special_token_is_also_in_the_vocabulary(name):
    tok = load(name)
    assert not tok.vocab.keys() & tok.special_tokens.values()
    assert tok.added_tokens == []


def test_a_text_cannot_spell_one_by_default(name):
    tok = load(name)
    special = set(tok.special_tokens.values())
    text = "".join(tok.special_tokens)
    assert not special & set(tok.encode(text))
    assert tok.decode(tok.encode(text)) == tok.normalize(text)


def test_every_one_is_one_id_where_it_is_allowed(name):
    tok = load(name)
    special_tokens = tok.special_tokens
    text = "".join(f"{token} x" for token in special_tokens)
    ids = tok.encode(text, allowed_special="all")
    numbers = set(special_tokens.values())
    assert [id for id in ids if id in numbers] == list(special_tokens.values())
    assert tok.decode(ids) == text


def test_the_judge_has_not_been_given_ranks():
    assert tiktoken.load.load_tiktoken_bpe is published.load_tiktoken_bpe
