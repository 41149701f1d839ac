"""List the bundled tokenizers.

A line for each has its name, its number of tokens, the size of an embedding for
it, its licence, and the models that use it; their names work too.
"""

from __future__ import annotations

import argparse

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "the bundled tokenizers"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="write a JSON list of objects")


def run(options: argparse.Namespace) -> int:
    return 0
