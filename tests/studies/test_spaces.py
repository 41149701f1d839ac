from __future__ import annotations

import pytest

from bytepair import studies
from bytepair.classic import ByteTokenizer


def test_indented_code(study):
    table = study("spaces").table("indented code")
    tokens = dict(zip(table.column("tokenizer"), table.column("tokens"), strict=True))
    assert [tokens[name] for name in ("gpt2", "cl100k_base", "o200k_base")] == [21, 11, 11]


@pytest.mark.parametrize(
    "name, counts",
    [
        ("gpt2", [1, 2, 3, 4, 8, 16, 17, 32, 64, 128, 200]),
        ("cl100k_base", [1] * 10 + [2]),
        ("o200k_base", [1] * 10 + [2]),
    ],
)
def test_runs_of_blanks(study, name, counts):
    row = study("spaces").table("tokens of a run of blanks, by its length").row(name)
    assert list(row.values())[1:] == counts


def test_the_trailing_blank(study):
    table = study("spaces").table("a prompt, with and without a blank at its end")
    for row in table.rows:
        assert str(row[1]) == "The| capital| of| France| is"
        assert str(row[2]) == "The| capital| of| France| is| "
        assert str(row[3]) == "The| capital| of| France| is| Paris"
    first = study("spaces").findings[0]
    assert "by 6 of 6; with one, it is not by 6" in first


def test_bytes_do_not_mind():
    found = studies.run("spaces", tokenizers={"byte": ByteTokenizer()})
    assert "by 1 of 1; with one, it is not by 0" in found.findings[0]
