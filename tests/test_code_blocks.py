"""Every Python block of the documentation and every docstring example runs, and is right.

Each document is one test, in a folder of its own that holds a `corpus.txt`; its blocks run in order
and share their names. Blocks marked `console` are for readers.
"""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import shutil
from importlib.resources import files
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.doctest import DocTestParser
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

import bytepair

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "README.zh-CN.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "spec" / "README.md",
    *sorted((ROOT / "crates").rglob("*.md")),
    *sorted((ROOT / "python").rglob("*.md")),
]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MARKDOWN = Sybil([PythonCodeBlockParser(doctest_optionflags=OPTIONS), SkipParser()])
DOCSTRINGS = Sybil([DocTestParser(OPTIONS)])


def installed_modules() -> list[str]:
    """The dotted names of the installed package's modules, without importing one."""
    spec = importlib.util.find_spec("bytepair")
    package = Path(spec.origin).parent
    paths = [path.relative_to(package.parent) for path in package.rglob("*.py")]
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return sorted(name for name in names if not name.endswith(".__main__"))


@pytest.fixture(autouse=True)
def workplace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(files("bytepair") / "texts" / "corpus.en", tmp_path / "corpus.txt")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page):
    for example in MARKDOWN.parse(page).examples():
        example.evaluate()


@pytest.mark.parametrize("name", installed_modules())
def test_docstrings(name):
    module = importlib.import_module(name)
    for example in DOCSTRINGS.parse(Path(module.__file__)).examples():
        example.evaluate()


def test_docstrings_of_the_compiled_module():
    """Rust writes these docstrings, so no source file of Python's holds them."""
    core = importlib.import_module("bytepair._core")
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=OPTIONS)
    for member in [core, *(m for m in vars(core).values() if inspect.isclass(m))]:
        for test in finder.find(
            member, member.__name__, module=False, globs={"bytepair": bytepair}
        ):
            runner.run(test)
    assert runner.failures == 0
