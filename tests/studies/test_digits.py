from __future__ import annotations

import pytest
from golden import FACTS

from bytepair.studies.digits import shape, single_tokens
from bytepair.studies.subjects import bundled


@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
def test_the_cuts_of_the_given_numbers(name):
    tok = bundled(name)[name]
    for number, pieces in FACTS["tokenizers_samples"]["digits"][name].items():
        assert shape(tok, number) == "+".join(str(len(piece)) for piece in pieces)


def test_how_many_are_one_token(study):
    table = study("digits").table("how many are one token")
    whole = dict(zip(table.column("tokenizer"), table.column("below 1,000"), strict=True))
    assert (whole["gpt2"], whole["cl100k_base"], whole["o200k_base"]) == (819, 1000, 1000)
    assert whole["qwen2.5"] == 10
    mean = table.row("gpt2")["mean tokens of 1000 to 9999"]
    assert round(mean, 4) == 1.9934
    assert table.row("cl100k_base")["mean tokens of 1000 to 9999"] == 2


def test_below_ten_thousand():
    tokenizers = bundled("gpt2", "cl100k_base", "o200k_base")
    assert [single_tokens(tok, 10_000) for tok in tokenizers.values()] == [907, 1000, 1000]


def test_tokens_of_digits_alone(study):
    table = study("digits").table("tokens that are digits alone")
    gpt2 = [cell for cell in table.row("gpt2").values() if cell is not None]
    assert gpt2 == ["gpt2", 10, 100, 777, 94, 6, 2, 1, 3, 1]
    assert [cell for cell in table.row("o200k_base").values() if cell] == [
        "o200k_base",
        10,
        100,
        1000,
    ]


def test_who_cuts_how(study):
    first = study("digits").findings[0]
    assert "in threes from the left by cl100k_base, o200k_base, deepseek_v3" in first
    assert "singly by qwen2.5" in first
