from __future__ import annotations

import itertools

from golden import GOLDEN
from hypothesis import given
from hypothesis import strategies as st

import bytepair
from bytepair.reference.bpe import merge
from bytepair.studies.merge_order import END, VOCAB_SIZE, most_frequent_first
from bytepair.texts import read


def test_the_published_figures(study):
    table = study("merge-order").table("the same merges in two orders")
    wrong, right = table.row("most frequent pair first"), table.row("of learning")
    assert wrong["pretokens cut otherwise"] == 1_089
    assert round(100 * (wrong["tokens"] / right["tokens"] - 1), 1) == 5.4
    assert "1,089 of 4,763 different pretokens" in study("merge-order").findings[0]
    assert "5.4 % more" in study("merge-order").findings[0]


def test_the_merges_are_those_of_the_course_they_come_from():
    tok = bytepair.train([read("corpus.en")], VOCAB_SIZE, special_tokens=[END], pattern="gpt2")
    lines = (GOLDEN / "cs336" / "train-bpe-reference-merges.txt").read_text("utf-8").splitlines()
    assert len(tok.merges) == len(lines) == 243


def test_what_differs_is_the_same_text(study):
    table = study("merge-order").table("the most frequent pretokens that differ")
    assert len(table.rows) == 8
    for pretoken, _, right, wrong in table.rows:
        assert b"".join(right.pieces) == b"".join(wrong.pieces)
        assert repr(b"".join(right.pieces).decode()) == pretoken
        assert right != wrong


@given(st.lists(st.integers(0, 2), max_size=12))
def test_one_merge_at_a_time(ids):
    merges = {(0, 1): 3, (1, 2): 4, (3, 2): 5, (0, 0): 6}
    expected = list(ids)
    while pairs := [p for p in itertools.pairwise(expected) if p in merges]:
        best = max(dict.fromkeys(pairs), key=pairs.count)
        expected = merge(expected, best, merges[best])
    assert most_frequent_first(list(ids), merges) == expected
