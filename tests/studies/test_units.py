from __future__ import annotations

import pytest

from bytepair.studies.units import CHINESE, ENGLISH
from bytepair.texts import parallel

LOSSLESS = (
    "bytes",
    "patches of 4 bytes",
    "patches by blanks",
    "patches by entropy",
    "gpt2",
    "o200k_base",
    "deepseek_v3",
)


@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_every_way(study, language):
    text, table = parallel()[language], study("units").table(language)
    rows = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert rows["bytes"]["tokens"] == len(text.encode())
    assert rows["characters"]["tokens"] == len(text)
    assert rows["words"]["tokens"] == len(text.split())
    assert rows["patches of 4 bytes"]["tokens"] == -(-len(text.encode()) // 4)
    for way in LOSSLESS:
        assert rows[way]["unknown"] == 0
        assert text.encode().startswith(b"".join(rows[way]["it begins"].pieces))
    for row in rows.values():
        share = 100 * (row["tokens"] / rows["bytes"]["tokens"]) ** 2
        assert row["attention (%)"] == pytest.approx(share)


def test_three_times_the_length_is_nine_times_the_work(study):
    table = study("units").table(CHINESE)
    ratio = table.row("bytes")["tokens"] / table.row("characters")["tokens"]
    assert ratio > 2.9
    work = table.row("bytes")["attention (%)"] / table.row("characters")["attention (%)"]
    assert work == pytest.approx(ratio**2)


def test_what_is_lost(study):
    english, chinese = study("units").tables
    assert 0.2 < english.row("words")["unknown"] / english.row("words")["tokens"] < 0.5
    assert chinese.row("words")["unknown"] == chinese.row("words")["tokens"]
    spelled, whole = chinese.row("dictionary, characters"), chinese.row("dictionary")
    assert spelled["tokens"] == whole["tokens"] and spelled["unknown"] < whole["unknown"] / 10
