from __future__ import annotations

from bytepair.studies.align import cuts, right_to_left
from bytepair.studies.digits import shape
from bytepair.studies.subjects import bundled


def test_the_sum(study):
    table = study("align").table("the sum")
    assert str(table.row("gpt2")["cut into"]) == "123|45| +| 6|78|90"
    assert str(table.row("cl100k_base, right to left")["cut into"]) == "12|345| +| |67|890"


def test_how_often_two_and_three(study):
    table = study("align").table("numbers of five digits, by where they are cut")
    gpt2 = table.row("gpt2")
    assert (gpt2["2+3"], gpt2["3+2"]) == (38_966, 37_835)
    assert table.row("cl100k_base")["3+2"] == 90_000
    for row in table.rows:
        assert sum(row[1:]) == 90_000


def test_groups_from_the_right():
    tok = right_to_left()
    assert [shape(tok, n) for n in ("1", "1234", "1234567", "123456")] == [
        "1",
        "1+3",
        "1+3+3",
        "3+3",
    ]


def test_cuts_are_counted_from_the_units():
    assert cuts(bundled("cl100k_base")["cl100k_base"], 12345) == {2}
    assert cuts(right_to_left(), 12345) == {3}
    assert cuts(bundled("qwen2.5")["qwen2.5"], 123) == {1, 2}


def test_what_is_in_step(study):
    table = study("align").table("pairs of numbers whose cuts fall on the same places")
    assert table.row("cl100k_base")["of different lengths (%)"] == 0
    for name in ("cl100k_base, right to left", "qwen2.5"):
        assert table.row(name)["of different lengths (%)"] == 100
    assert 0 < table.row("gpt2")["of the same length (%)"] < 100
