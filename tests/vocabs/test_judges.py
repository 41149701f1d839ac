"""Ids equal to those of the original libraries, on samples of many scripts, code and odd blanks."""

from __future__ import annotations

import json

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from .conftest import RANKED, SAMPLES, judge, load

ALPHABETS = st.one_of(
    st.text(),
    st.text(st.sampled_from("aAsStT'’ \t\r\n0123٣½.,!?/_-éñ好한ि")),
    st.lists(st.sampled_from(SAMPLES)).map("".join),
)
HUGGINGFACE = {"qwen3": "qwen3", "deepseek_v3": "deepseek_v3", "gpt2": "gpt2"}


@pytest.mark.parametrize("name", RANKED)
def test_samples_as_in_tiktoken(name):
    tok, tiktoken = load(name), judge(name)
    for text in [*SAMPLES, "".join(SAMPLES)]:
        expected = tiktoken.encode_ordinary(tok.normalize(text))
        assert tok.encode(text) == expected
        assert tok.count(text) == len(expected)


@pytest.mark.parametrize("name", RANKED)
def test_special_tokens_as_in_tiktoken(name):
    tok, tiktoken = load(name), judge(name)
    tokens = list(tok.special_tokens)
    text = "".join(f"{SAMPLES[i % len(SAMPLES)]}{token}" for i, token in enumerate(tokens[:60]))
    text += f"<|endoftext|{tokens[-1]}<|{tokens[0]}|> <|endoftex"
    expected = tiktoken.encode(tok.normalize(text), allowed_special="all")
    assert tok.encode(text, allowed_special="all") == expected


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "glm4", "kimi_k2"])
@given(text=ALPHABETS)
def test_any_text_as_in_tiktoken(name, text):
    assert load(name).encode(text) == judge(name).encode_ordinary(text)


@pytest.mark.parametrize("name", HUGGINGFACE)
def test_samples_as_in_tokenizers(name, shared):
    path = shared / "vocabs" / "huggingface" / f"{HUGGINGFACE[name]}.json"
    original, tok = tokenizers.Tokenizer.from_file(str(path)), load(name)
    specials = list(tok.special_tokens)
    for text in [*SAMPLES, "".join(SAMPLES), "x".join(specials)]:
        expected = original.encode(text, add_special_tokens=False).ids
        assert tok.encode(text, allowed_special="all") == expected


@pytest.mark.parametrize("name", HUGGINGFACE)
def test_tokens_are_the_originals(name, shared):
    path = shared / "vocabs" / "huggingface" / f"{HUGGINGFACE[name]}.json"
    added = json.loads(path.read_bytes())["added_tokens"]
    assert load(name).special_tokens == {token["content"]: token["id"] for token in added}


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("r50k_base", "gpt2"),
        ("r50k_base", "r50k_base"),
        ("p50k_base", "p50k_base"),
        ("cl100k_base", "cl100k_base"),
        ("o200k_base", "o200k_base"),
        ("qwen", "qwen2.5"),
        ("glm4", "glm4"),
        ("kimi_k2", "kimi_k2"),
    ],
)
def test_the_published_file_by_itself_is_the_same_tokenizer(file, name, shared):
    import bytepair

    from_file = bytepair.load(shared / "vocabs" / "tiktoken" / f"{file}.tiktoken")
    assert from_file.fingerprint == load(name).fingerprint
