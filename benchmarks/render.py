"""Results → tables in benchmarks/README.md and both READMEs, and plots.

python benchmarks/render.py            # write them
python benchmarks/render.py --check    # say whether the tables are those of the results
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from encoders import ENCODERS
from machine import ROOT
from sweep import Row, rows
from trainers import TRAINERS

HERE = Path(__file__).parent
PLOTS = HERE / "plots"

#: Library → the figure, or `None` where it was not measured.
Cells = dict[str, float | None]


@dataclass(frozen=True)
class Measure:
    """One number of a figure. `larger`: more is better."""

    unit: str
    of: Callable[[Row], float]
    larger: bool = True


def speed(clock: str) -> Callable[[Row], float]:
    return lambda figure: figure["bytes"] / statistics.median(figure[clock]) / 1e6


MB_PER_CPU_SECOND = Measure("MB/s", speed("cpu"))
MB_PER_SECOND = Measure("MB/s, wall", speed("wall"))
NS_PER_CALL = Measure("ns", lambda f: statistics.median(f["cpu"]) / f["calls"] * 1e9, larger=False)
MILLISECONDS = Measure("ms", lambda f: statistics.median(f["cpu"]) * 1e3, larger=False)
SECONDS = Measure("s", lambda f: statistics.median(f["cpu"]), larger=False)


@dataclass(frozen=True)
class Column:
    """A figure of a task, and how it is read."""

    title: str
    task: str
    figure: str
    measure: Measure


COLUMNS = [
    Column("list, cold", "document to list", "cold", MB_PER_CPU_SECOND),
    Column("list, fresh", "document to list", "fresh", MB_PER_CPU_SECOND),
    Column("list, warm", "document to list", "warm", MB_PER_CPU_SECOND),
    Column("numpy, fresh", "document to numpy", "fresh", MB_PER_CPU_SECOND),
    Column("numpy, warm", "document to numpy", "warm", MB_PER_CPU_SECOND),
    Column("batch of lines to lists, 1 thread", "batch to list", "1 threads", MB_PER_CPU_SECOND),
    Column("batch of lines to lists, 2 threads", "batch to list", "2 threads", MB_PER_SECOND),
    Column("batch of lines to numpy, 1 thread", "batch to numpy", "1 threads", MB_PER_CPU_SECOND),
    Column("batch of lines to numpy, 2 threads", "batch to numpy", "2 threads", MB_PER_SECOND),
    Column("count", "count", "count", MB_PER_CPU_SECOND),
    Column("decode", "decode", "decode", MB_PER_CPU_SECOND),
    Column("one short string", "short", "short", NS_PER_CALL),
]
LOADS = [
    Column("load from a file", "load from file", "load", MILLISECONDS),
    Column("load what is bundled", "load bundled", "load", MILLISECONDS),
]


class Results:
    """The rows of the newest core alone, by cell; of a cell that was run again, the middle run."""

    def __init__(self, all_rows: Iterable[Row]) -> None:
        every = list(all_rows)
        newest = max(every, key=lambda row: row["date"], default=None)
        self.rows = [row for row in every if newest and row["core"] == newest["core"]]
        self.newest = newest
        self.by_cell: dict[tuple[str, ...], list[Row]] = defaultdict(list)
        for row in self.rows:
            subject = row.get("tokenizer") or str(row["vocab_size"])
            key = (row.get("task", "train"), subject, row["corpus"], row["library"])
            # Of two amounts of one text the larger says more.
            known = self.by_cell[key]
            if not known or row["bytes"] == known[0]["bytes"]:
                known.append(row)
            elif row["bytes"] > known[0]["bytes"]:
                self.by_cell[key] = [row]

    def figure(self, column: Column, subject: str, corpus: str, library: str) -> float | None:
        found = self.by_cell.get((column.task, subject, corpus, library), [])
        values = [column.measure.of(row["figures"][column.figure]) for row in found]
        return statistics.median(values) if values else None

    def cells(self, column: Column, subject: str, corpus: str, libraries: Iterable[str]) -> Cells:
        return {name: self.figure(column, subject, corpus, name) for name in libraries}

    def differs(self, task: str, subject: str, corpus: str, library: str) -> bool:
        found = self.by_cell.get((task, subject, corpus, library), [])
        return any(not row["verdict"]["agrees"] for row in found)

    def memory(self, subject: str, corpus: str, library: str, what: str) -> float | None:
        found = self.by_cell.get(("document to list", subject, corpus, library), [])
        values = [row["memory"][what] for row in found]
        return statistics.median(values) if values else None

    def subjects(self, task: str) -> list[tuple[str, str]]:
        """Subject and corpus of the cells of a task, in the order of the results."""
        keys = ((key[1], key[2]) for key in self.by_cell if key[0] == task)
        return list(dict.fromkeys(keys))


# ------------------------------------------------------------------ tables


def number(value: float | None) -> str:
    if value is None:
        return "–"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(header: list[str], lines: Iterable[list[str]]) -> str:
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *lines])


def marked(results: Results, column: Column, subject: str, corpus: str, cells: Cells) -> list[str]:
    """The figures; the best of a line is bold, and `≠` marks answers that differ from ours."""
    known = [value for value in cells.values() if value is not None]
    best = (max if column.measure.larger else min)(known, default=None)
    shown = []
    for library, value in cells.items():
        text = f"**{number(value)}**" if value is not None and value == best else number(value)
        differs = results.differs(column.task, subject, corpus, library)
        shown.append(f"{text} ≠" if differs else text)
    return shown


def encoding_tables(results: Results) -> str:
    libraries, parts = list(ENCODERS), []
    for tokenizer in dict.fromkeys(subject for subject, _ in results.subjects("document to list")):
        lines = []
        for column in COLUMNS:
            for subject, corpus in results.subjects(column.task):
                if subject == tokenizer:
                    cells = results.cells(column, subject, corpus, libraries)
                    what = f"{column.title} ({column.measure.unit})"
                    lines.append([what, corpus, *marked(results, column, subject, corpus, cells)])
        parts.append(f"### {tokenizer}\n\n" + table(["", "text", *libraries], lines))
    return "\n\n".join(parts)


def load_table(results: Results) -> str:
    libraries, lines = list(ENCODERS), []
    for column in LOADS:
        for subject, corpus in results.subjects(column.task):
            cells = results.cells(column, subject, corpus, libraries)
            what = f"{column.title} ({column.measure.unit})"
            lines.append([what, subject, *marked(results, column, subject, corpus, cells)])
    for what, title in (
        ("loaded", "memory once loaded (MB)"),
        ("peak", "memory at most, list (MB)"),
    ):
        for subject, corpus in results.subjects("document to list"):
            if corpus == "english":
                found = [results.memory(subject, corpus, name, what) for name in libraries]
                lines.append([title, subject, *map(number, found)])
    return table(["", "tokenizer", *libraries], lines)


def training_table(results: Results) -> str:
    libraries, lines = list(TRAINERS), []
    column = Column("", "train", "train", SECONDS)
    for subject, corpus in results.subjects("train"):
        cells = results.cells(column, subject, corpus, libraries)
        megabytes = (
            results.by_cell["train", subject, corpus, "bytepair"][0]["figures"]["train"]["bytes"]
            / 1e6
        )
        shown = []
        for name, text in zip(
            libraries, marked(results, column, subject, corpus, cells), strict=True
        ):
            found = results.by_cell.get(("train", subject, corpus, name), [])
            peak = (
                f" ({statistics.median(row['memory']['peak'] for row in found):,.0f} MB)"
                if found
                else ""
            )
            shown.append(text.replace(" ≠", "") + peak + (" ≠" if "≠" in text else ""))
        lines.append([f"{corpus}, {megabytes:.0f} MB", f"{int(subject):,}", *shown])
    return table(["text", "vocabulary", *libraries], lines)


def short_tables(results: Results, words: dict[str, str]) -> str:
    """For the READMEs: one tokenizer, text that was not seen before; and training."""
    column, subject = COLUMNS[1], "o200k_base"
    lines = []
    for tokenizer, corpus in results.subjects(column.task):
        if tokenizer == subject:
            cells = results.cells(column, subject, corpus, ENCODERS)
            lines.append(
                [words.get(corpus, corpus), *marked(results, column, subject, corpus, cells)]
            )
    first = table([words["encode"], *ENCODERS], lines)
    column, lines = Column("", "train", "train", SECONDS), []
    for size, corpus in results.subjects("train"):
        if corpus == "mixture":
            cells = results.cells(column, size, corpus, TRAINERS)
            lines.append(
                [
                    words["mixture"].format(size=int(size)),
                    *marked(results, column, size, corpus, cells),
                ]
            )
    second = table([words["train"], *TRAINERS], lines)
    return f"{first}\n\n{second}\n\n{words['note'].format(machine=machine(results))}"


ENGLISH = {
    "encode": "encode to a list, o200k_base, fresh text (MB/s of CPU)",
    "train": "train (CPU seconds, one thread)",
    "mixture": "English, code, Chinese, many languages; {size:,} tokens",
    "note": "Ids are compared before anything is timed; `≠` marks answers that differ. {machine}. "
    "[All tables, method, and what is unfair](benchmarks/README.md).",
}
CHINESE = {
    "english": "英语",
    "code": "代码",
    "chinese": "中文",
    "multilingual": "多语言",
    "scripts": "多种文字",
    "encode": "编码为列表，o200k_base，没见过的文本（MB / CPU 秒）",
    "train": "训练（CPU 秒，单线程）",
    "mixture": "英语、代码、中文、多语言混合；{size:,} 个 token",
    "note": "计时之前先比对编号；`≠` 表示结果不同。{machine}。"
    "[全部表格、方法与不公平之处](benchmarks/README.md)。",
}


def machine(results: Results) -> str:
    row = results.newest
    if row is None:
        return ""
    versions = sorted({f"{row['library']} {row['version']}" for row in results.rows})
    facts = [row["cpu"], f"{row['cores']} cores", f"Python {row['python']}", row["date"][:10]]
    return ", ".join([*facts, *versions])


def unfair() -> str:
    kinds = [*ENCODERS.items(), *((f"{name}, training", kind) for name, kind in TRAINERS.items())]
    return "\n".join(f"- {name}: {kind.unfair}." for name, kind in kinds if kind.unfair)


def sections(results: Results) -> dict[Path, dict[str, str]]:
    return {
        HERE / "README.md": {
            "machine": machine(results) + f", commit {(results.newest or {}).get('commit')}.",
            "encoding": encoding_tables(results),
            "loading": load_table(results),
            "training": training_table(results),
            "unfair": unfair(),
        },
        ROOT / "README.md": {"measured": short_tables(results, ENGLISH)},
        ROOT / "README.zh-CN.md": {"measured": short_tables(results, CHINESE)},
    }


def filled(path: Path, parts: dict[str, str]) -> str:
    text = path.read_text("utf-8")
    for name, part in parts.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        if begin not in text or end not in text:
            raise SystemExit(f"error: `{path}` has no place between `{begin}` and `{end}`")
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        whole = f"{begin}\n\n{part}\n\n{end}"
        text = pattern.sub(whole.replace("\\", r"\\"), text)
    return text


# ------------------------------------------------------------------ plots


def plot(results: Results, column: Column, subject: str, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "bytepair"  # the same drawing, the same bytes
    import matplotlib.pyplot as plt

    corpora = [
        corpus for tokenizer, corpus in results.subjects(column.task) if tokenizer == subject
    ]
    figure, axes = plt.subplots(figsize=(9, 4))
    width = 0.8 / len(ENCODERS)
    for place, library in enumerate(ENCODERS):
        values = [results.figure(column, subject, corpus, library) or 0 for corpus in corpora]
        at = [n + (place - (len(ENCODERS) - 1) / 2) * width for n in range(len(corpora))]
        bars = axes.bar(at, values, width, label=library)
        axes.bar_label(bars, [number(value) if value else "" for value in values], fontsize=6)
    axes.set_xticks(range(len(corpora)), corpora)
    axes.set_ylabel(f"{column.measure.unit} of CPU time, log scale")
    axes.set_yscale("log")
    axes.set_title(f"{subject}: {column.title}")
    axes.legend(ncols=len(ENCODERS), fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if tables are out of step"
    )
    parser.add_argument("--no-plots", action="store_true", help="tables alone: needs no matplotlib")
    asked = parser.parse_args(arguments)
    results = Results(rows())
    if results.newest is None:
        raise SystemExit("error: benchmarks/results is empty\nhint: python benchmarks/sweep.py")
    stale = []
    for path, parts in sections(results).items():
        text = filled(path, parts)
        if text != path.read_text("utf-8"):
            stale.append(path.relative_to(ROOT))
            if not asked.check:
                path.write_text(text, "utf-8")
    if asked.check:
        print(
            *(f"out of step with the results: `{path}`" for path in stale),
            sep="\n",
            end="\n" * bool(stale),
        )
        return 1 if stale else 0
    if not asked.no_plots:
        for column in COLUMNS[1:3]:
            plot(results, column, "o200k_base", PLOTS / f"{column.title.replace(', ', '-')}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
