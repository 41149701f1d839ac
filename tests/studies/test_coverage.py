from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bytepair import studies
from bytepair.studies.coverage import covering


def test_by_hand(study):
    found = studies.run("coverage", text="aaaaaaaaab")
    row = found.tables[0].row("the given text")
    assert (row["characters"], row["different ones"]) == (10, 2)
    assert (row["for 50 %"], row["for 90 %"], row["for 99 %"]) == (1, 1, 2)


@given(st.lists(st.integers(1, 1000), min_size=1).map(lambda n: sorted(n, reverse=True)))
def test_the_fewest_that_cover(counts):
    for share in (50, 90, 99, 99.9, 100):
        fewest = covering(counts, share)
        assert sum(counts[:fewest]) * 100 >= sum(counts) * share - 1e-6
        assert fewest == 1 or sum(counts[: fewest - 1]) * 100 < sum(counts) * share


def test_chinese_needs_more_than_english(study):
    table = study("coverage").tables[0]
    english, chinese = table.row("English"), table.row("Chinese")
    assert english["characters"] > 40 * chinese["characters"]
    assert english["for 99 %"] < chinese["for 99 %"] / 5


def test_an_empty_text_is_refused():
    with pytest.raises(ValueError, match="empty"):
        studies.run("coverage", text="")
