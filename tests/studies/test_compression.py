from __future__ import annotations

import pytest

import bytepair
from bytepair import studies
from bytepair.studies.compression import SIZES
from bytepair.texts import read


def test_the_rates_are_those_of_the_tokenizers(study):
    table = study("compression").tables[0]
    text = read("corpus.en")
    known = text[: text.rfind("\n", 0, int(len(text) * 0.9)) + 1]
    held_out = text[len(known) :]
    tok = bytepair.train([known], 1024)
    row = next(row for row in table.rows if row[:2] == ("BPE on bytes", 1024))
    assert row[2] == len(held_out.encode()) / tok.count(held_out)


def test_more_tokens_and_fewer_of_them(study):
    table = study("compression").tables[0]
    for kind in ("BPE on bytes", "BPE on characters"):
        points = [row[1:] for row in table.rows if row[0] == kind]
        assert [size for size, _, _ in points] == list(SIZES)
        rates = [rate for _, rate, _ in points]
        assert rates == sorted(rates)
        assert rates[1] - rates[0] > rates[-1] - rates[-2]  # the first doubling buys most
    unknown = [row[3] for row in table.rows if row[0] == "words"]
    assert unknown == sorted(unknown, reverse=True) and unknown[-1] > 10
    assert {row[3] for row in table.rows if row[0] in ("bytes", "BPE on bytes")} == {0.0}


def test_a_text_of_one_line_is_refused():
    with pytest.raises(ValueError, match="at least two lines"):
        studies.run("compression", text="one line")
