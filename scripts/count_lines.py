"""Prints the lines of code of each part, and writes them into the READMEs with `--write`.

Counted are lines that are not blank; generated files are left out. Files longer than the aim of 400
lines are named on stderr.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AIM = 400
READMES = ("README.md", "README.zh-CN.md")
LANGUAGES = {".rs", ".py"}

# In the order of the READMEs' tables; a file counts for the first part that holds it.
PARTS = (
    ("crates/bytepair-core/src",),
    ("crates/bytepair-py/src",),
    ("python/bytepair",),
    ("python/bytepair/reference",),
    ("tests", "crates/bytepair-core/tests", "fuzz", "benchmarks"),
)


def is_generated(text: str) -> bool:
    return any("do not edit" in line for line in text.splitlines()[:5])


def files(folders: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    others = {folder for part in PARTS for folder in part} - set(folders)
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            inside = str(path.relative_to(ROOT))
            if any(inside.startswith(f"{o}/") and o.startswith(f"{folder}/") for o in others):
                continue
            if path.suffix in LANGUAGES:
                text = path.read_text(encoding="utf-8")
                if not is_generated(text):
                    yield path, text


def count() -> list[int]:
    """Lines for each part, in the order of the READMEs' tables."""
    return [
        sum(1 for _, text in files(part) for line in text.splitlines() if line.strip())
        for part in PARTS
    ]


def rows(readme: str) -> list[re.Match[str]]:
    """The rows `| part | lines |` of the table under the heading that names this script."""
    _, _, table = readme.partition("scripts/count_lines.py")
    start = len(readme) - len(table)
    found = re.compile(r"^\| ([^|]+) \| ([\d,]+) \|$", re.MULTILINE).finditer(readme, start)
    return list(found)[: len(PARTS)]


def write(readme: str, counts: list[int]) -> str:
    for row, number in reversed(list(zip(rows(readme), counts, strict=True))):
        readme = f"{readme[: row.start(2)]}{number:,}{readme[row.end(2) :]}"
    return readme


def main() -> None:
    counts = count()
    for row, number in zip(rows((ROOT / READMES[0]).read_text("utf-8")), counts, strict=True):
        print(f"{number:7,}  {row[1]}")
    for part in PARTS:
        for path, text in files(part):
            if (lines := text.count("\n")) > AIM:
                print(f"{path.relative_to(ROOT)}: {lines} lines", file=sys.stderr)
    if "--write" in sys.argv[1:]:
        for name in READMES:
            path = ROOT / name
            path.write_text(write(path.read_text("utf-8"), counts), encoding="utf-8")


if __name__ == "__main__":
    main()
