"""Two ways to train that give the same merges: count everything again, or only what changed.

Both are those of ``bytepair.reference.train``, in plain Python.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from bytepair.studies.study import Chart, Study, Table
from bytepair.texts import read

__all__ = ["pairs_looked_at", "run"]

MERGES = 40
PARTS = (8, 4, 2, 1)


def pairs_looked_at(
    words: Iterable[bytes], merges: Mapping[tuple[int, int], int]
) -> tuple[int, int]:
    """How many pairs each way has to look at for these merges: (all of all words before each merge;
    all once, and then those of the words that hold the pair, before and after its merge).

    >>> pairs_looked_at([b"abc", b"xy"], {(97, 98): 256})
    (3, 6)
    """
    from bytepair.reference.bpe import merge

    spelled = [list(word) for word in words]
    all_pairs = sum(len(word) - 1 for word in spelled)
    naive, incremental = 0, all_pairs
    for pair, new in merges.items():
        naive += all_pairs
        for place, word in enumerate(spelled):
            if pair in pairwise(word):
                spelled[place] = merge(word, pair, new)
                incremental += len(word) - 1 + len(spelled[place]) - 1
                all_pairs -= len(word) - len(spelled[place])
    return naive, incremental


def timed(way: Any, words: Mapping[bytes, int]) -> tuple[float, dict[tuple[int, int], int]]:
    """Seconds of CPU, and the merges."""
    start = time.process_time()
    merges, _ = way(words, MERGES, "bytes", 1, None)
    return time.process_time() - start, merges


def run(*, text: str | None = None) -> Study:
    """How much work is it to train, and how does it grow?"""
    from bytepair.reference.pretokenize import split
    from bytepair.reference.train import incremental, recount

    data = (read("corpus.en") if text is None else text).encode()
    if len(data) < 100:
        raise ValueError("the text is too short: at least 100 bytes, of which an eighth is a start")
    rows = []
    for part in PARTS:
        piece = data[: len(data) // part]
        words = Counter(split("gpt2", piece))
        slow, expected = timed(recount, words)
        quick, merges = timed(incremental, words)
        if merges != expected:
            raise ArithmeticError("the two ways of training gave different merges")
        rows.append((len(piece), len(words), *pairs_looked_at(words, merges), slow, quick))
    return study_of(rows)


def study_of(rows: list[tuple[int, int, int, int, float, float]]) -> Study:
    small, large = rows[0], rows[-1]
    return Study(
        name="naive-vs-incremental",
        question=run.__doc__ or "",
        findings=(
            f"For {MERGES} merges of {large[0]:,} bytes the definition looks at {large[2]:,} "
            f"pairs, the incremental way at {large[3]:,}; the merges are the same.",
            f"The gap grows with the text: {small[2] - small[3]:,} pairs at {small[0]:,} bytes, "
            f"{large[2] - large[3]:,} at {large[0]:,}; and with every merge, for each costs the "
            "definition another pass over everything.",
            f"On this machine, both in plain Python: {large[4]:.2f} and {large[5]:.2f} seconds.",
        ),
        tables=(
            Table(
                f"{MERGES} merges",
                (
                    "bytes",
                    "different pretokens",
                    "pairs, naive",
                    "pairs, incremental",
                    "naive (s)",
                    "incremental (s)",
                ),
                rows,
                digits={"naive (s)": 3, "incremental (s)": 3},
            ),
        ),
        charts=(
            Chart(
                f"Pairs looked at for {MERGES} merges",
                "line",
                "bytes of text",
                "pairs",
                {
                    "naive": [(row[0], row[2]) for row in rows],
                    "incremental": [(row[0], row[3]) for row in rows],
                },
            ),
        ),
    )
