from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bytepair.reference.train import incremental, recount
from bytepair.studies.naive_vs_incremental import MERGES, pairs_looked_at


def test_the_gap_grows_with_the_text(study):
    table = study("naive-vs-incremental").table(f"{MERGES} merges")
    naive, quick = table.column("pairs, naive"), table.column("pairs, incremental")
    gaps = [slow - fast for slow, fast in zip(naive, quick, strict=True)]
    assert all(before < after for before, after in itertools.pairwise(gaps))
    assert naive[-1] > 5 * quick[-1]


def test_by_hand():
    # abab: 3 pairs; after (a, b) one pair is left, and the second merge takes it.
    assert pairs_looked_at([b"abab"], {(97, 98): 256, (256, 256): 257}) == (
        3 + 1,
        3 + (3 + 1) + (1 + 0),
    )


@given(st.lists(st.binary(min_size=1, max_size=6), min_size=1, max_size=8), st.integers(1, 6))
def test_the_incremental_way_never_looks_at_a_word_for_nothing(words, merges):
    counted = Counter(words)
    learned, _ = recount(counted, merges, "bytes", 1, None)
    assert learned == incremental(counted, merges, "bytes", 1, None)[0]
    naive, quick = pairs_looked_at(counted, learned)
    assert naive >= len(learned) and quick >= sum(len(word) - 1 for word in counted)
