"""List the bundled tokenizers.

A line for each has its name, its number of tokens, the size of an embedding
that holds its ids, its licence, and models that use it: the names of models
work as names of tokenizers.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bytepair.cli.streams import print_json

if TYPE_CHECKING:
    from bytepair.registry import Recipe

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "the bundled tokenizers"
MODELS_NAMED = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="write a JSON list, with all models")


def run(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    import bytepair

    recipes = [bytepair.info(name) for name in bytepair.names()]
    if options.json:
        print_json([asdict(recipe) for recipe in recipes])
    else:
        print_table(recipes)
    return 0


def print_table(recipes: Sequence[Recipe]) -> None:
    from rich import box
    from rich.table import Table

    from bytepair.cli.screen import Screen

    console = Screen().widen()
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("name", style="bold", no_wrap=True)
    table.add_column("tokens", justify="right")
    table.add_column("vocab size", justify="right")
    table.add_column("licence", no_wrap=True)
    table.add_column("models")
    for recipe in recipes:
        sizes = (f"{recipe.tokens:,}", f"{recipe.vocab_size:,}")
        table.add_row(recipe.name, *sizes, recipe.licence, models(recipe))
    console.print(table)


def models(recipe: Recipe) -> str:
    """A few of them; `#` and `*` stand for numbers and endings."""
    more = len(recipe.models) - MODELS_NAMED
    shown = ", ".join(recipe.models[:MODELS_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown
