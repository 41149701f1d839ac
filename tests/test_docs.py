"""The documentation is complete and points to things that exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import bytepair

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = {".venv", "target", "node_modules"}
PAGES = sorted(
    path for path in ROOT.rglob("*.md") if not SKIPPED & set(path.relative_to(ROOT).parts)
)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(markdown: str) -> set[str]:
    """The fragments that a rendered page has: headings in lower case, blanks as hyphens."""
    titles = re.findall(r"^#+ (.+)$", FENCED.sub("", markdown), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", page.read_text(encoding="utf-8"))):
        if "://" in link:
            continue
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if fragment:
            assert fragment in anchors(target.read_text(encoding="utf-8")), link


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_the_paths_in_the_tables_exist(name):
    rows = re.findall(r"^\| .*$", read(name), re.MULTILINE)
    quoted = [path for row in rows for path in re.findall(r"`([\w./-]+)`", row)]
    paths = [path for path in quoted if "/" in path or (ROOT / path).exists()]
    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_contributing_names_only_tasks_that_exist():
    tasks = set(re.findall(r"^([a-z-]+):.*## ", read("Makefile"), re.MULTILINE))
    named = {task for page in PAGES for task in re.findall(r"[`$] ?make ([a-z-]+)", read(page))}
    assert named - tasks == set()
    assert {"demo", "test"} <= named


@pytest.mark.parametrize("name", bytepair.__all__)
def test_every_public_name_is_in_the_reference(name):
    assert re.search(rf"`(bytepair\.)?{name}\b", read("docs/reference/api.md"))


def public(type_: type) -> list[str]:
    return [name for name in dir(type_) if not name.startswith("_")]


@pytest.mark.parametrize("name", public(bytepair.Tokenizer))
def test_every_method_is_in_the_reference(name):
    assert re.search(rf"`(Tokenizer\.)?{name}\b", read("docs/reference/api.md"))


def test_every_command_and_option_is_in_the_guide():
    guide = read("docs/guides/command-line.md")
    listed = re.findall(r"^ {4}(\w+)  ", shown("--help"), re.MULTILINE)
    assert {"train", "encode", "decode", "count", "show", "list"} <= set(listed)
    missing = [command for command in listed if f"bytepair {command}" not in guide]
    for command in listed:
        options = set(re.findall(r"(--[a-z][a-z-]+)", shown(command, "--help"))) - {"--help"}
        missing += sorted(option for option in options if f"{option}" not in guide)
    assert missing == []


def shown(*arguments: str) -> str:
    command = [sys.executable, "-m", "bytepair", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
