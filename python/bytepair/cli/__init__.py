"""The command line: one file for each command, and nobody imports from here.

`main` is what the shell calls. What all commands share: `parser` (arguments and wrong usage),
`options` (those that several commands have), `streams` (bytes in and out), `words` (what is said on
stderr). A command's module has `SUMMARY`, `add_arguments(parser)` and `run(options) -> exit code`,
and its docstring is its help; what is slow to import is imported inside functions, so that `--help`
is quick.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

from bytepair.cli import parser, streams, words
from bytepair.errors import TrainingWarning

__all__ = ["main"]

ERROR, STOPPED = 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0, 1 error, 2 usage, 3 findings.

    >>> main(["--version"])  # doctest: +ELLIPSIS
    bytepair ...
    0
    """
    streams.prepare()
    options = None
    try:
        options = parser.parse(sys.argv[1:] if argv is None else argv)
        with warnings.catch_warnings():
            warnings.showwarning = show_warning
            warnings.simplefilter("always", TrainingWarning)
            code: int = options.run(options)
        streams.flush()
    except SystemExit as exit_:  # argparse's: help, version, wrong usage
        streams.flush()
        return exit_.code if isinstance(exit_.code, int) else 0
    except BrokenPipeError:
        streams.abandon_output()
        return 0
    except KeyboardInterrupt:
        streams.abandon_output()
        words.say("stopped")
        return STOPPED
    except Exception as error:
        streams.abandon_output()
        if options is not None and options.debug:
            import traceback

            traceback.print_exc()
        words.error(*words.explained(error))
        return ERROR
    return code


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    words.warning(str(message))
