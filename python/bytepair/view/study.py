"""A study on the terminal and as parts of a page; ``plot`` draws its charts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from bytepair.view.html import tokens_html
from bytepair.view.pieces import TokenView, printable, readable
from bytepair.view.terminal import TokenFlow

if TYPE_CHECKING:
    from bytepair.studies import Study, Table
    from bytepair.studies.study import Cell

__all__ = ["print_study", "study_html"]

DIGITS = 2
NONE = "–"


def print_study(study: Study, console: Console) -> None:
    """The question, the tables, and what was found."""
    console.print(Text(study.question, "bold"))
    for table in study.tables:
        console.print()
        console.print(Text(printable(table.title), "italic"))
        console.print(rich_table(table))
        if table.note:
            console.print(Text(printable(table.note), "dim"))
    console.print()
    for finding in study.findings:
        console.print(Text(f"→ {printable(finding)}"))


def rich_table(table: Table) -> RichTable:
    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, name in enumerate(table.columns):
        numeric = is_numeric(table, place)
        drawn.add_column(
            Text(printable(name)), justify="right" if numeric else "left", no_wrap=numeric
        )
    for row in table.rows:
        drawn.add_row(
            *(
                TokenFlow(views(cell)) if not is_plain(cell) else Text(written(table, place, cell))
                for place, cell in enumerate(row)
            )
        )
    return drawn


def is_plain(cell: Cell) -> bool:
    return cell is None or isinstance(cell, str | int | float)


def is_numeric(table: Table, place: int) -> bool:
    cells = [row[place] for row in table.rows if row[place] is not None]
    return bool(cells) and all(isinstance(cell, int | float) for cell in cells)


def written(table: Table, place: int, cell: Cell) -> str:
    """A cell that is no cut text: numbers with separators and the digits of their column."""
    if cell is None:
        return NONE
    if isinstance(cell, float):
        return f"{cell:,.{table.digits.get(table.columns[place], DIGITS)}f}"
    return f"{cell:,}" if isinstance(cell, int) else printable(str(cell))


def views(cut: object) -> list[TokenView]:
    pieces: tuple[bytes, ...] = getattr(cut, "pieces", ())
    return [TokenView(None, piece, readable(piece)) for piece in pieces]


def study_html(study: Study) -> tuple[str, str]:
    """A heading and a body for ``page_html``: what was found first, then the tables."""
    found = "".join(f"<li>{escape(printable(finding))}</li>" for finding in study.findings)
    tables = "".join(
        f"<h3>{escape(printable(table.title))}</h3>{table_html(table)}" for table in study.tables
    )
    return study.question, f"<ul>{found}</ul>{tables}"


def table_html(table: Table) -> str:
    numeric = [is_numeric(table, place) for place in range(len(table.columns))]
    align = ["right" if number else "left" for number in numeric]
    style = "padding:2px 10px;border-bottom:1px solid"
    head = "".join(
        f'<th style="text-align:{a};{style}">{escape(printable(name))}</th>'
        for name, a in zip(table.columns, align, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="text-align:{align[place]};padding:2px 10px;vertical-align:top">'
            f"{cell_html(table, place, cell)}</td>"
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in table.rows
    )
    note = f"<p>{escape(printable(table.note))}</p>" if table.note else ""
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:collapse">'
        f"<tr>{head}</tr>{body}</table></div>{note}"
    )


def cell_html(table: Table, place: int, cell: Cell) -> str:
    if is_plain(cell):
        return escape(written(table, place, cell))
    return tokens_html(views(cell), with_ids=False)
