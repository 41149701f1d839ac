"""The bar of training: on a terminal alone."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from bytepair.view.progress import TrainingProgress


def screen(**options: object) -> Console:
    return Console(
        file=io.StringIO(), width=100, force_terminal=True, legacy_windows=False, **options
    )


def last_frame(console: Console) -> list[str]:
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.file.getvalue())
    return [line.rstrip() for line in text.replace("\r", "\n").splitlines() if line.strip()]


def test_both_phases_are_shown_to_their_ends():
    console = screen(_environ={"TERM": "xterm"})
    with TrainingProgress(console) as progress:
        for done in range(0, 2_000_001, 100_000):
            progress("read", done, 2_000_000)
        for done in range(1, 501):
            progress("merge", done, 500)
    shown = last_frame(console)
    assert re.search(r"reading .* 2\.0/2\.0 MB", shown[-2])
    assert re.search(r"merging .* 500/500 merges", shown[-1])


def test_a_total_that_is_not_known():
    console = screen(_environ={"TERM": "xterm"})
    with TrainingProgress(console) as progress:
        progress("read", 1_500_000, None)
        progress("merge", 3, 3)
    assert any("1.5" in line and "MB" in line for line in last_frame(console))


@pytest.mark.parametrize(
    "console",
    [
        Console(file=io.StringIO(), _environ={"TERM": "xterm"}),
        Console(file=io.StringIO(), force_terminal=True, _environ={"TERM": "dumb"}),
    ],
    ids=["file", "dumb"],
)
def test_nothing_is_written_elsewhere(console):
    with TrainingProgress(console) as progress:
        progress("read", 1, 2)
        progress("merge", 2, 2)
    assert console.file.getvalue() == ""


def test_an_error_inside_passes_through():
    with pytest.raises(KeyboardInterrupt), TrainingProgress(screen()) as progress:
        progress("read", 1, 2)
        raise KeyboardInterrupt
