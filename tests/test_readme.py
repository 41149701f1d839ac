"""README.md and its translation say the same things, and the numbers in them are true."""

from __future__ import annotations

import re
import runpy
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README, TRANSLATION = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md")
)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def headings(markdown: str) -> list[int]:
    return [len(match) for match in re.findall(r"^(#+) ", FENCED.sub("", markdown), re.MULTILINE)]


def targets(markdown: str) -> list[str]:
    links = re.findall(r"\]\(([^)]+)\)", FENCED.sub("", markdown))
    own = [link for link in links if not link.startswith("README")]
    return [link.replace("docs/zh/", "docs/concepts/") for link in own]  # the course is translated


def table_sizes(markdown: str) -> list[int]:
    """The number of rows of each table, in order."""
    lines = [n for n, line in enumerate(markdown.splitlines()) if line.startswith("|")]
    breaks = [n for n, (a, b) in enumerate(pairwise(lines), 1) if b != a + 1]
    return [b - a for a, b in pairwise([0, *breaks, len(lines)])]


@pytest.mark.parametrize("part", [headings, FENCED.findall, targets, table_sizes])
def test_the_translation_keeps_step(part):
    assert part(README) != []
    assert part(TRANSLATION) == part(README)


@pytest.mark.parametrize("readme", [README, TRANSLATION], ids=["en", "zh-CN"])
def test_the_lines_of_code_are_true(readme):
    script = runpy.run_path(str(ROOT / "scripts" / "count_lines.py"))
    written = [int(row[2].replace(",", "")) for row in script["rows"](readme)]
    # A fifth off is still the truth for a reader; more means `make lines`.
    assert written == [pytest.approx(lines, rel=0.2) for lines in script["count"]()]


def test_the_python_block_is_six_lines():
    block = re.search(r"```python\nimport bytepair\n\n(.*?)```", README, re.DOTALL)
    assert len(block[1].splitlines()) + 1 == 6
