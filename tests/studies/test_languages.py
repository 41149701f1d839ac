from __future__ import annotations

import pytest

from bytepair.studies.languages import tokens_per_character
from bytepair.studies.subjects import bundled
from bytepair.texts import parallel

# Of the 12 MB of Chinese documentation in the shared folder, half of whose characters are ASCII.
RATES = {"gpt2": 1.26, "cl100k_base": 0.74, "o200k_base": 0.59, "deepseek_v3": 0.52}


def test_tokens_per_character_of_the_chinese_corpus(corpus):
    text = corpus("chinese")
    for name, rate in RATES.items():
        assert round(tokens_per_character(bundled(name)[name], text), 2) == rate


def test_every_language_and_tokenizer(study):
    premium, rates = study("languages").tables
    assert len(premium.rows) == len(rates.rows) == len(parallel()) == 42
    assert premium.row("English")["gpt2"] == 1
    assert all(isinstance(cell, float) and cell > 0 for row in premium.rows for cell in row[1:])


@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
def test_the_premium_is_a_ratio_of_whole_counts(study, name):
    tok, texts = bundled(name)[name], parallel()
    row = (
        study("languages")
        .table("premium: tokens of the same text, relative to English")
        .row("Hindi")
    )
    assert row[name] == tok.count(texts["Hindi"]) / tok.count(texts["English"])


def test_a_newer_vocabulary_is_fairer(study):
    premium = study("languages").tables[0]
    assert premium.row("Hindi")["gpt2"] > 4 * premium.row("Hindi")["o200k_base"]
