"""The experiments that explain what models do, each on real tokenizers and embedded texts.

``run("letters")`` gives a ``Study``: plain data, for ``bytepair study`` to show and for anyone to
compute on. A study is a module of this package with one function, ``run``, whose docstring is the
question; its keyword options (``tokenizers``, ``text``) put other subjects in the place of those it
chose.

>>> [name for name in names() if name.startswith("le")]
['letters']
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from bytepair.errors import UnknownNameError
from bytepair.studies.study import Chart, Cut, Study, Table

__all__ = ["Chart", "Cut", "Study", "Table", "names", "options", "question", "run"]

#: In the order of the course.
_NAMES = (
    "units",
    "compression",
    "naive-vs-incremental",
    "pretokenize",
    "specials",
    "merge-order",
    "bytes",
    "letters",
    "digits",
    "align",
    "spaces",
    "case",
    "languages",
    "coverage",
    "glitch",
    "models",
)


def names() -> tuple[str, ...]:
    """The studies, in the order of the course."""
    return _NAMES


def question(name: str) -> str:
    """What a study asks, in one sentence.

    >>> question("letters")
    'Why do models miscount the letters of a word?'
    """
    return (_function(name).__doc__ or "").strip().splitlines()[0]


def options(name: str) -> frozenset[str]:
    """Which of ``tokenizers`` and ``text`` a study takes."""
    return frozenset(inspect.signature(_function(name)).parameters)


def run(name: str, **given: Any) -> Study:
    """Runs one study. ``tokenizers`` is a mapping of names to tokenizers, ``text`` a ``str``; which
    of them a study takes in the place of its own subjects, ``options(name)`` says.

    Raises ``UnknownNameError`` for a name that is none, and ``TypeError`` for an option that the
    study does not take.
    """
    function = _function(name)
    if wrong := sorted(given.keys() - options(name)):
        raise TypeError(f"the study `{name}` takes no `{wrong[0]}`")
    return function(**given)


def _function(name: str) -> Callable[..., Study]:
    if name not in _NAMES:
        from difflib import get_close_matches

        near = get_close_matches(name, _NAMES, n=1)
        advice = f"did you mean `{near[0]}`? " if near else ""
        raise UnknownNameError(
            f"unknown study `{name}`", hint=f"{advice}`bytepair study` lists them all"
        )
    module = importlib.import_module(f"bytepair.studies.{name.replace('-', '_')}")
    function: Callable[..., Study] = module.run
    return function
