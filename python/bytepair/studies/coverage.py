"""How many characters a table needs: a few are most of a text, and the tail is long."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from bytepair.studies.study import Cell, Chart, Study, Table, by_name
from bytepair.texts import parallel, read

__all__ = ["covering", "run"]

SHARES = (50.0, 90.0, 99.0, 99.9)
SIZES = (10, 30, 100, 300, 1000)
CHOSEN = ("Japanese", "Korean", "Russian", "Hindi", "Amharic")


def covering(counts: Sequence[int], share: float) -> int:
    """How many of the most frequent (``counts`` falls) are together ``share`` per cent of all.

    >>> covering([6, 3, 1], 90)
    2
    """
    reached = list(accumulate(counts))
    return bisect_left(reached, reached[-1] * share / 100 - 1e-9) + 1


def run(*, text: str | None = None) -> Study:
    """How many characters cover a text?"""
    texts = {"the given text": text} if text is not None else chosen()
    counts = {
        name: sorted(Counter(each).values(), reverse=True) for name, each in texts.items() if each
    }
    if not counts:
        raise ValueError("the text is empty: nothing has to be covered")
    return Study(
        name="coverage",
        question=run.__doc__ or "",
        findings=(
            "99 % of the text takes "
            + by_name(
                {n: f"{covering(by, 99)} of {len(by)} characters" for n, by in counts.items()}
            )
            + ".",
            "The rarer half of the characters that occur are together "
            + by_name({name: rare_half(by) for name, by in counts.items()}, ".1f")
            + " per cent of their text; a longer text has more of them.",
        ),
        tables=(covering_table(texts, counts), unknown_table(counts)),
        charts=(
            Chart(
                "Share of a text that its most frequent characters cover",
                "line",
                "characters in the table",
                "covered (%)",
                {name: curve(by) for name, by in counts.items()},
                log_x=True,
            ),
        ),
    )


def chosen() -> dict[str, str]:
    by_name = parallel()
    chinese = read("corpus.zh") + by_name["Chinese, Mandarin (Simplified)"]
    return {
        "English": read("corpus.en"),
        "Chinese": chinese,
        **{name: by_name[name] for name in CHOSEN},
    }


def rare_half(counts: Sequence[int]) -> float:
    return 100 * sum(counts[len(counts) // 2 :]) / sum(counts)


def curve(counts: Sequence[int]) -> list[tuple[int, float]]:
    whole = sum(counts)
    return [(size, 100 * at / whole) for size, at in enumerate(accumulate(counts), 1)]


def covering_table(texts: Mapping[str, str], counts: Mapping[str, Sequence[int]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, len(texts[name]), len(by), *(covering(by, share) for share in SHARES))
        for name, by in counts.items()
    ]
    columns = ("text", "characters", "different ones", *(f"for {share:g} %" for share in SHARES))
    return Table("characters that a table must have", columns, rows)


def unknown_table(counts: Mapping[str, Sequence[int]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, *(100 * sum(by[size:]) / sum(by) for size in SIZES)) for name, by in counts.items()
    ]
    columns = ("text", *(f"{size:,}" for size in SIZES))
    return Table(
        "unknown characters (%), by the size of the table", columns, rows, dict.fromkeys(columns, 2)
    )
