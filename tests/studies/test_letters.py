from __future__ import annotations

from bytepair import studies
from bytepair.classic import CharTokenizer


def test_strawberry(study):
    alone = study("letters").table("strawberry, as a word")
    cuts = {row[0]: str(row[2]) for row in alone.rows}
    assert cuts["gpt2"] == cuts["o200k_base"] == cuts["deepseek_v3"] == "st|raw|berry"
    assert cuts["cl100k_base"] == cuts["glm4"] == cuts["qwen2.5"] == "str|aw|berry"
    assert alone.row("o200k_base")["ids"] == "302 1618 19772"


def test_after_a_blank_it_is_one_token_of_each(study):
    assert set(study("letters").table("strawberry, after a blank").column("tokens")) == {1}


def test_backwards(study):
    backwards = study("letters").table("strawberry, backwards")
    assert {str(cell) for cell in backwards.column("cut into")} == {"yr|reb|warts"}


def test_the_letters_are_all_there(study):
    assert set(study("letters").table("what each token holds of r").column("together")) == {3}


def test_characters_show_what_tokens_hide():
    found = studies.run("letters", tokenizers={"char": CharTokenizer.build(["strawberry"])})
    assert str(found.table("strawberry, as a word").rows[0][2]) == "|".join("strawberry")
    assert "no token with itself for 0 of 1" in found.findings[2]
