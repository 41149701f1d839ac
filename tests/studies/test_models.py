from __future__ import annotations

import pytest
from golden import FACTS

from bytepair import studies
from bytepair.classic import ByteTokenizer
from bytepair.studies.models import MODELS, embedding_parameters

ZH = FACTS["tokenizers_zh"]


@pytest.mark.parametrize("name", ["o200k_base", "deepseek_v3", "glm4", "qwen2.5"])
def test_the_ids_of_the_sentence(study, name):
    row = study("models").table(ZH["text"]).row(name)
    assert row["ids"] == " ".join(map(str, ZH[name]["ids"]))


def test_the_fragments_of_cl100k(study):
    table = study("models").table(ZH["text"])
    pieces = table.row("cl100k_base")["cut into"].pieces
    assert len(pieces) == ZH["cl100k_base"]["count"]
    for piece, expected in zip(pieces, ZH["cl100k_base"]["pieces_hex_or_text"], strict=True):
        assert expected in {piece.hex(), piece.decode("utf-8", "ignore")}
    assert "4 (cl100k_base), 0 (o200k_base)" in study("models").findings[0]


def test_published_sizes(study):
    bundled = {"cl100k_base": "cl100k_base", "deepseek_v3": "DeepSeek-V3", "glm4": "GLM-4-9B"}
    bundled |= {"qwen2.5": "Qwen2.5", "o200k_base": "o200k_base"}
    table = study("models").table("three numbers called vocabulary size")
    for name, published in bundled.items():
        assert table.row(name)["published"] == FACTS["vocab_sizes"][published]
    assert table.row("gpt2")["published"] == 50_257
    assert table.row("qwen2.5")["padding"] == 152_064 - 151_665
    rows = {model.name: model.rows for model in MODELS}
    for model, published in (("Llama 2 7B", "LLaMA-2"), ("Llama 3 8B", "LLaMA-3")):
        assert rows[model] == FACTS["vocab_sizes"][published]
    assert rows["Mistral 7B"] == FACTS["vocab_sizes"]["Mistral-7B"]
    assert rows["Gemma 2 2B"] == FACTS["vocab_sizes"]["Gemma-2"]


def test_the_three_numbers(study):
    row = study("models").table("three numbers called vocabulary size").row("cl100k_base")
    assert (row["tokens"], row["highest id + 1"], row["ids that nothing holds"]) == (
        100_261,
        100_277,
        16,
    )


def test_what_the_table_costs(study):
    assert embedding_parameters(MODELS[0]) == 38_597_376
    assert (
        round(study("models").table("what the table costs").row("GPT-2 small")["of all (%)"]) == 31
    )
    for model in MODELS:
        assert embedding_parameters(model) < model.parameters * 1e6


def test_a_small_vocabulary_has_no_high_ids():
    found = studies.run("models", tokenizers={"byte": ByteTokenizer()})
    assert found.table("what an id stands for").row(256)["byte"] is None
