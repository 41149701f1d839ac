"""Patterns by name, by regular expression, or several in a row."""

from __future__ import annotations

import difflib
import re

from bytepair import _core
from bytepair.errors import PatternError

__all__ = ["Pattern", "name_of", "named_patterns", "stages"]

Pattern = str | tuple[str, ...] | list[str] | None

# What could be meant as a name. A regular expression that is this plain must be written in a group,
# `(?:abc)`, so that a slip of the pen in a name is never taken for an expression that matches it
# letter by letter.
_NAME = re.compile(r"[A-Za-z0-9_.\-]+")


def named_patterns() -> dict[str, tuple[str, ...]]:
    """The named patterns: for each its regular expressions, one for each stage.

    >>> named_patterns()["qwen2"][0][:20]
    "(?i:'s|'t|'re|'ve|'m"
    """
    return {name: tuple(stages) for name, stages in _core.named_patterns()}


def stages(pattern: Pattern) -> list[str]:
    """The regular expressions that a pattern means, checked.

    >>> len(stages("deepseek_v3"))
    3
    >>> stages(None)
    []
    """
    if pattern is None:
        return []
    parts = list(pattern) if isinstance(pattern, tuple | list) else [pattern]
    resolved = [stage for part in parts for stage in _resolve(part)]
    _core.check_patterns(resolved)
    return resolved


def _resolve(part: object) -> tuple[str, ...]:
    if not isinstance(part, str):
        kind = type(part).__name__
        raise TypeError(
            f"a pattern is a name, a regular expression or a tuple of them, not `{kind}`"
        )
    named = named_patterns()
    if part in named:
        return named[part]
    if _NAME.fullmatch(part):
        near = difflib.get_close_matches(part, named, n=3, cutoff=0.5) or sorted(named)
        names = ", ".join(f"`{name}`" for name in near)
        shown = part if len(part) <= 60 else part[:60] + "…"
        raise PatternError(
            f"no pattern is named `{shown}`",
            hint=f"names are like {names}; as a regular expression write `(?:{shown})`",
        )
    return (part,)


def name_of(resolved: list[str]) -> str | None:
    """The name of a pattern that is given by its regular expressions, if it has one."""
    return next((n for n, known in named_patterns().items() if list(known) == resolved), None)
