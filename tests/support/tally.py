"""What was judged in this run, for the summary at its end."""

from __future__ import annotations

import importlib.metadata
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass


@dataclass
class Tally:
    """How many texts were compared, their bytes, and the seconds that this took on both sides.

    `asked_again` of them are right by the judge with a known fault of its own kept out of its way.
    """

    texts: int = 0
    bytes: int = 0
    seconds: float = 0.0
    asked_again: int = 0

    def add(self, texts: Iterable[str | bytes]) -> None:
        for text in texts:
            self.texts += 1
            self.bytes += len(text if isinstance(text, bytes) else text.encode())


#: (what was judged, by whom, on what) → how much of it.
TALLIES: dict[tuple[str, str, str], Tally] = {}


@contextmanager
def judging(what: str, judge: str, on: str) -> Iterator[Tally]:
    """The tally to add the texts to that were compared; time is added by itself.

    `judge` is a distribution (its version is told), or any other name.
    """
    tally = TALLIES.setdefault((what, judge, on), Tally())
    started = time.perf_counter()
    try:
        yield tally
    finally:
        tally.seconds += time.perf_counter() - started


def lines(detailed: bool) -> Iterator[str]:
    """A line for each tally or, in short, for each judge and what it judged on; then the sum."""
    groups: dict[tuple[str, str, str], list[Tally]] = {}
    for (what, judge, on), tally in TALLIES.items():
        groups.setdefault((what if detailed else "", judge, on), []).append(tally)
    for (what, judge, on), tallies in groups.items():
        subject = what or f"{len(tallies)} subjects"
        yield f"judged: {subject} against {named(judge)}, {on}: {figures(tallies)}"
    if groups:
        yield f"judged in all: {figures(TALLIES.values())}"


def figures(tallies: Iterable[Tally]) -> str:
    """The sums of some tallies, in words."""
    texts, size, seconds, asked_again = (
        sum(column) for column in zip(*map(astuple, tallies), strict=True)
    )
    again = f" ({asked_again:,} asked again)" if asked_again else ""
    rate = f", {size / seconds / 1e6:,.2f} MB/s" if size > 10**7 else ""
    return f"{texts:,} texts{again}, {size / 1e6:,.1f} MB, {seconds:,.1f} s{rate}"


def named(judge: str) -> str:
    try:
        return f"{judge} {importlib.metadata.version(judge)}"
    except importlib.metadata.PackageNotFoundError:
        return judge
