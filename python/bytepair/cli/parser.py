"""The arguments of all commands, and what is said about wrong ones."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

from bytepair import __version__
from bytepair.cli import count, decode, encode, list, show, study, train, words

__all__ = ["parse"]

USAGE = 2
COMMANDS = {
    "train": train,
    "encode": encode,
    "decode": decode,
    "count": count,
    "show": show,
    "study": study,
    "list": list,
}
EPILOG = "`bytepair COMMAND --help` shows the options of a command."


class Parser(argparse.ArgumentParser):
    """Wrong usage in the form of every other error, with advice."""

    def error(self, message: str) -> NoReturn:
        self.fail(message, f"`{self.prog} --help` shows how it is used")

    def fail(self, message: str, advice: str) -> NoReturn:
        words.error(message, advice)
        self.exit(USAGE)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The options of one command, its `run` among them; exits for help and for wrong usage."""
    parser, commands = build()
    name = next((argument for argument in argv if not argument.startswith("-")), None)
    if name is not None and name not in commands:
        advice = closest(name, commands, "`bytepair --help` lists the commands")
        parser.fail(f"unknown command `{words.printable(name)}`", advice)
    options, extra = parser.parse_known_args(argv)
    if name is None:
        parser.print_help(sys.stderr)
        parser.exit(USAGE)
    unknown = [argument for argument in extra if argument.startswith("-")]
    if unknown or (extra and "files" not in options):
        refuse((unknown or extra)[0], commands[name])
    if extra:  # argparse takes no further files after an option
        options.files = [*options.files, *extra]
    return options


def build() -> tuple[Parser, dict[str, Parser]]:
    shared = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    shared.add_argument("--debug", action="store_true", help="show the traceback of an error")
    parser = Parser(
        prog="bytepair",
        description="Byte-pair tokenizers: bytes in, ids out, and every step can be seen.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action="version", version=f"bytepair {__version__}", help="show the version"
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    entries = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    commands = {}
    for name, module in COMMANDS.items():
        entry = entries.add_parser(
            name,
            help=module.SUMMARY,
            description=module.__doc__,
            parents=[shared],
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(entry)
        entry.set_defaults(run=module.run)
        commands[name] = entry
    return parser, commands


def refuse(argument: str, command: Parser) -> NoReturn:
    """An argument that is no option of the command and finds no place in it."""
    if not argument.startswith("-"):
        advice = (
            "a text with blanks stands in quotes; " if "[TEXT]" in command.format_usage() else ""
        )
        advice += f"`{command.prog} --help` shows how it is used"
        command.fail(f"unexpected argument `{words.printable(argument)}`", advice)
    name = argument.partition("=")[0]
    options = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", command.format_help())
    usage = (
        f"`{command.prog} --help` lists the options; `--` stands before a text that begins with `-`"
    )
    command.fail(f"unknown option `{words.printable(name)}`", closest(name, options, usage))


def closest(name: str, known: Iterable[str], otherwise: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [*known], n=1)
    return f"did you mean `{near[0]}`?" if near else otherwise
