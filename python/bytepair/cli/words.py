"""What is said on stderr: errors, hints, warnings and notes, in colour on a terminal only."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from bytepair.errors import BytepairError

__all__ = [
    "error",
    "explained",
    "facts",
    "hint",
    "on_terminal",
    "printable",
    "reason",
    "say",
    "warning",
]

BOLD, RED, YELLOW, CYAN, PLAIN = "\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[0m"


def error(message: str, advice: str | None = None) -> None:
    label("error", RED, message)
    if advice is not None:
        hint(advice)


def warning(message: str) -> None:
    label("warning", YELLOW, message)


def hint(message: str) -> None:
    label("hint", CYAN, message)


def label(name: str, colour: str, message: str) -> None:
    say(f"{colour}{name}:{PLAIN} {message}" if coloured() else f"{name}: {message}")


def say(line: str = "") -> None:
    """One line on stderr; a reader of stderr who has left is no reason to fail."""
    if sys.stderr is None:
        return
    try:
        print(line, file=sys.stderr, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def facts(lines: Mapping[str, str]) -> None:
    """Names and values in two columns."""
    width = max(map(len, lines))
    for name, value in lines.items():
        say(f"{name:<{width}}  {value}")


def on_terminal() -> bool:
    """Whether a person may be reading stderr."""
    return sys.stderr is not None and sys.stderr.isatty()


def coloured() -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not plain and on_terminal()


def printable(name: str | bytes | os.PathLike[str]) -> str:
    """A file's name as it may stand in a message: control characters and stray bytes escaped."""
    from bytepair.view.pieces import printable as escape_unseen

    return escape_unseen(os.fsdecode(name))


def explained(failure: Exception) -> tuple[str, str | None]:
    """The message and the hint for an exception."""
    if isinstance(failure, BytepairError):
        return failure.message, failure.hint
    if isinstance(failure, OSError):
        if failure.filename:
            return f"`{printable(failure.filename)}`: {reason(failure)}", None
        return f"cannot read or write: {reason(failure)}", None
    if isinstance(failure, MemoryError):
        return "out of memory", None
    if isinstance(failure, ValueError):
        message, _, advice = str(failure).partition("\nhint: ")
        return message, advice or None
    return (
        f"unexpected {type(failure).__name__}: {failure}",
        "this is a fault of bytepair; `--debug` shows where, please report it",
    )


def reason(failure: OSError) -> str:
    """The system's words for a failure, beginning as the middle of a sentence does."""
    text = failure.strerror or str(failure)
    return text[:1].lower() + text[1:]
