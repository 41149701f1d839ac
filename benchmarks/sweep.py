"""Runs a whole grid, each cell in a process of its own, and appends what each found to results/.

    python benchmarks/sweep.py                       # the standard preset
    python benchmarks/sweep.py --preset quick --only tiktoken

A sweep that was stopped goes on where it was: cells of the same code on the same machine are not
run again, unless --again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpora
from grid import PRESETS, Cell, cells
from machine import core_sha256, cpu_model
from rich.console import Console
from rich.progress import (
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

HERE = Path(__file__).parent
RESULTS = HERE / "results"

Row = dict[str, Any]


def rows(results: Path = RESULTS) -> Iterator[Row]:
    for path in sorted(results.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise SystemExit(f"error: `{path}`, line {number}: {error}") from None


def cell_of(row: Row) -> Cell:
    subject = row.get("tokenizer") or str(row["vocab_size"])
    return Cell(
        row["kind"], row["library"], subject, row["corpus"], row["bytes"], row.get("task", "")
    )


def measure(cell: Cell, timeout: float) -> Row:
    command = [sys.executable, str(HERE / "measure.py"), *cell.arguments()]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"no result within {timeout:.0f} s") from None
    if run.returncode:
        raise RuntimeError((run.stderr.strip() or f"exit code {run.returncode}").splitlines()[-1])
    return dict(json.loads(run.stdout.splitlines()[-1]))


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--preset", choices=PRESETS, default="standard")
    parser.add_argument(
        "--only",
        metavar="WORD",
        action="append",
        default=[],
        help="cells with this word in them (a library, a corpus, a task); all of several",
    )
    parser.add_argument("--again", action="store_true", help="also what is measured already")
    parser.add_argument("--list", action="store_true", help="show the cells and run none")
    parser.add_argument(
        "--timeout", type=float, default=600, metavar="SECONDS", help="for one cell"
    )
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    asked = parse(arguments)
    grid = [c for c in cells(PRESETS[asked.preset]) if all(word in str(c) for word in asked.only)]
    if not asked.again:
        here = (core_sha256(), cpu_model())
        done = {cell_of(row) for row in rows() if (row["core"], row["cpu"]) == here}
        grid = [cell for cell in grid if cell not in done]
    console = Console(stderr=True)
    if asked.list:
        print(*grid, sep="\n")
        return 0
    for name in corpora.described():
        if corpora.available(name) != "corpus":
            console.print(
                f"`{name}` is absent: {corpora.available(name) or 'no'} text in its place"
            )
    corpora.verify()
    failed = run(grid, RESULTS / f"{asked.preset}.jsonl", asked.timeout, console)
    return 1 if failed else 0


def run(grid: list[Cell], path: Path, timeout: float, console: Console) -> int:
    failed = 0
    path.parent.mkdir(exist_ok=True)
    columns = (
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("", total=len(grid))
        for cell in grid:
            progress.update(bar, description=str(cell))
            try:
                row = measure(cell, timeout)
            except RuntimeError as error:
                failed += 1
                console.print(
                    f"failed: {cell}: {error}", style="red", markup=False, highlight=False
                )
            else:
                with path.open("a", encoding="utf-8") as results:
                    results.write(json.dumps(row, ensure_ascii=False) + "\n")
                if not row["verdict"]["agrees"]:
                    console.print(
                        f"differs: {cell}: {row['verdict']}", markup=False, highlight=False
                    )
            progress.advance(bar)
    return failed


if __name__ == "__main__":
    sys.exit(main())
