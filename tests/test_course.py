"""The course: pages in order, the same cells in both editions, figures that are the studies'."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGLISH, CHINESE = ROOT / "docs" / "concepts", ROOT / "docs" / "zh"
PAGES = sorted(path.name for path in ENGLISH.glob("*.md"))
CELL = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


def without_remarks(cell: str) -> str:
    """A remark at the end of a line may be translated; code may not."""
    return re.sub(r"  # [^\"\n]*$", "", cell, flags=re.MULTILINE)


def test_both_editions_have_the_same_pages():
    assert sorted(path.name for path in CHINESE.glob("*.md")) == PAGES
    assert len(PAGES) == 15


@pytest.mark.parametrize("name", PAGES)
def test_both_editions_have_the_same_cells(name):
    cells = [
        [(kind, without_remarks(body)) for kind, body in CELL.findall(read(folder, name))]
        for folder in (ENGLISH, CHINESE)
    ]
    assert cells[0] == cells[1]


@pytest.mark.parametrize("name", PAGES)
def test_both_editions_have_the_same_shape(name):
    def shape(page: str) -> list[tuple[str, int]]:
        prose = CELL.sub("", page)
        figures = re.findall(r"images/[\w/-]+\.svg", prose)
        return [
            ("headings", len(re.findall(r"^#+ ", prose, re.MULTILINE))),
            ("rows", len(re.findall(r"^\|", prose, re.MULTILINE))),
            *((figure, 1) for figure in figures),
        ]

    assert shape(read(ENGLISH, name)) == shape(read(CHINESE, name))


@pytest.mark.parametrize("folder", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_a_reader_gets_from_the_first_page_to_the_last(folder):
    numbered = [name for name in PAGES if name[0].isdigit()]
    index = read(folder, "README.md")
    assert re.findall(r"^\| \[[^\]]+\]\((\d\d-[\w-]+\.md)\)", index, re.MULTILINE) == numbered
    for name, following in zip(numbered, [*numbered[1:], "errata.md"], strict=True):
        last_line = read(folder, name).rstrip().splitlines()[-1]
        assert f"]({following})" in last_line, name


@pytest.mark.parametrize("name", [name for name in PAGES if name[0].isdigit()])
def test_every_page_has_questions_with_answers_that_run(name):
    questions = read(ENGLISH, name).partition("## Questions")[2]
    assert len(re.findall(r"^\*\*.*\?.*", questions, re.MULTILINE)) >= 2
    assert "```python" in questions


def test_every_study_is_in_the_course():
    from bytepair import studies

    course = "".join(read(ENGLISH, name) for name in PAGES)
    told = set(re.findall(r"bytepair study ([\w-]+)", course))
    assert told == set(studies.names())


def test_the_figures_are_those_of_the_studies(capsys):
    pytest.importorskip("matplotlib")
    path = ROOT / "scripts" / "render_study_figures.py"
    spec = importlib.util.spec_from_file_location("render_study_figures", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.pictured() != []
    assert script.main(["--check"]) == 0, capsys.readouterr().out
