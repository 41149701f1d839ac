"""The progress bar of training, on stderr and only where a person may see it."""

from __future__ import annotations

import sys
import time

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

__all__ = ["TrainingProgress"]

NAMES = {"read": "reading", "merge": "merging"}
SECONDS_BETWEEN_UPDATES = 0.05


class AmountColumn(ProgressColumn):
    """How much is done: megabytes read, or merges made."""

    def render(self, task: Task) -> Text:
        scale, unit = (1e6, "MB") if task.fields["phase"] == "read" else (1, "merges")
        digits = 1 if unit == "MB" else 0
        done = f"{task.completed / scale:,.{digits}f}"
        whole = "" if task.total is None else f"/{task.total / scale:,.{digits}f}"
        return Text(f"{done}{whole} {unit}", "progress.download")


class TrainingProgress:
    """A bar for each phase: call it with (phase, done, total) while it is open as a context.

    `phase` is `"read"` (in bytes) or `"merge"` (in merges); a `total` of `None` is unknown. Without
    a terminal behind `console` (stderr by default) nothing is written. Finished bars stay on it.

    >>> with TrainingProgress() as progress:
    ...     progress("read", 10, 100)
    ...     progress("merge", 1, None)
    """

    def __init__(self, console: Console | None = None) -> None:
        self.console = Console(file=sys.stderr) if console is None else console
        self.bars = Progress(
            TextColumn("{task.description:<8}"),
            BarColumn(),
            AmountColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=self.console,
            disable=not self.console.is_terminal or self.console.is_dumb_terminal,
        )
        self.tasks: dict[str, TaskID] = {}
        self.updated = 0.0

    def __enter__(self) -> TrainingProgress:
        self.bars.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bars.stop()

    def __call__(self, phase: str, done: int, total: int | None) -> None:
        new = phase not in self.tasks
        if new:
            self.begin(phase, total)
        now = time.monotonic()
        if not new and done != total and now - self.updated < SECONDS_BETWEEN_UPDATES:
            return
        self.updated = now
        self.bars.update(self.tasks[phase], completed=done, total=total)

    def begin(self, phase: str, total: int | None) -> None:
        """Opens the phase's bar and ends those before it, which may have had no known total."""
        for task in self.bars.tasks:
            if not task.finished:
                self.bars.update(
                    task.id, total=task.completed if task.total is None else task.total
                )
                self.bars.stop_task(task.id)
        name = NAMES.get(phase, phase)
        self.tasks[phase] = self.bars.add_task(name, total=total, phase=phase)
