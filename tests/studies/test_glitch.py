from __future__ import annotations

import pytest

from bytepair.studies.glitch import candidates
from bytepair.studies.subjects import bundled


@pytest.mark.parametrize(
    "name, by_gap",
    [("gpt2", (12, 17, 38)), ("cl100k_base", (11, 17, 36)), ("o200k_base", (9, 10, 23))],
)
def test_as_many_as_were_found_before(name, by_gap):
    tok = bundled(name)[name]
    assert tuple(len(candidates(tok, gap)) for gap in (1, 10, 100)) == by_gap


def test_the_strongest_of_gpt2_are_among_them():
    found = {each.id for each in candidates(bundled("gpt2")["gpt2"], gap=1)}
    # Those that the weights of GPT-2 show most clearly (Land and Bartolo, 2024), and one more.
    assert {40241, 30905, 39752, 40240, 30898, 45544, 36173, 30212, 42089, 30897, 39820} < found
    assert len(found) == 12


def test_names_of_cl100k():
    found = {each.token for each in candidates(bundled("cl100k_base")["cl100k_base"], gap=1)}
    assert {b" ForCanBeConverted", b" ForCanBeConvertedToF", b"useRal", b"useRalative"} < found


def test_a_candidate_is_a_part_of_its_whole():
    tok = bundled("o200k_base")["o200k_base"]
    for each in candidates(tok, gap=100):
        assert each.token in each.whole and tok.token_bytes(each.id + each.gap) == each.whole


def test_the_known_one(study):
    table = study("glitch").tables[0]
    assert dict(zip(table.column("tokenizer"), table.column("tokens"), strict=True)) == {
        "gpt2": 1,
        "cl100k_base": 5,
        "o200k_base": 5,
    }
