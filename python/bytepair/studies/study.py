"""What a study gives: plain data, which ``view`` and ``cli`` turn into tables, plots and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bytepair.protocol import TokenizerLike

__all__ = ["Cell", "Chart", "Cut", "Study", "Table", "by_name", "cut"]


def by_name(figures: Mapping[str, object], form: str = "") -> str:
    """Figures in a sentence, each with whose it is.

    >>> by_name({"gpt2": 50257, "o200k_base": 200000}, ",")
    '50,257 (gpt2), 200,000 (o200k_base)'
    """
    return ", ".join(f"{figure:{form}} ({name})" for name, figure in figures.items())


@dataclass(frozen=True)
class Cut:
    """A text in its pieces, shown as coloured tiles."""

    pieces: tuple[bytes, ...]

    def __str__(self) -> str:
        return "|".join(piece.decode("utf-8", "backslashreplace") for piece in self.pieces)


def cut(tokenizer: TokenizerLike, text: str) -> Cut:
    """The text as a tokenizer cuts it.

    >>> import bytepair
    >>> str(cut(bytepair.load("cl100k_base"), "strawberry"))
    'str|aw|berry'
    """
    return Cut(tuple(tokenizer.token_bytes(id) for id in tokenizer.encode(text)))


#: `None` is a figure that there is none of.
Cell = str | int | float | Cut | None


@dataclass(frozen=True)
class Table:
    """Rows under columns. ``digits`` are the decimals of a column's floats, 2 where it is silent;
    ``note`` is one sentence below."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    digits: Mapping[str, int] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"`{self.title}`: {len(row)} cells for {len(self.columns)} columns"
                )

    def column(self, name: str) -> list[Cell]:
        """The cells of one column, for tests and for those who compute on."""
        return [row[self.columns.index(name)] for row in self.rows]

    def row(self, first: Cell) -> dict[str, Cell]:
        """The row that begins with this cell, by the names of its columns."""
        for row in self.rows:
            if row[0] == first:
                return dict(zip(self.columns, row, strict=True))
        raise LookupError(f"`{self.title}` has no row that begins with `{first}`")


@dataclass(frozen=True)
class Chart:
    """Series of points. ``kind`` is ``"line"`` (x is a number) or ``"bar"`` (x is a name)."""

    title: str
    kind: str
    x: str
    y: str
    series: Mapping[str, Sequence[tuple[Any, float]]]
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Study:
    """One experiment, run: what was asked, what was found (whole sentences, with their figures),
    and what that rests on."""

    name: str
    question: str
    findings: tuple[str, ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...] = ()

    def table(self, title: str) -> Table:
        """The table of this title."""
        for table in self.tables:
            if table.title == title:
                return table
        titles = ", ".join(f"`{table.title}`" for table in self.tables)
        raise LookupError(f"the study `{self.name}` has no table `{title}`, but {titles}")

    def as_json(self) -> dict[str, Any]:
        """As plain values: tables as columns and rows, a cut text as its pieces, also in hex."""
        return {
            "study": self.name,
            "question": self.question,
            "findings": list(self.findings),
            "tables": [
                {
                    "title": table.title,
                    "columns": list(table.columns),
                    "rows": [[plain(cell) for cell in row] for row in table.rows],
                    "note": table.note,
                }
                for table in self.tables
            ],
            "charts": [
                {
                    "title": chart.title,
                    "kind": chart.kind,
                    "x": chart.x,
                    "y": chart.y,
                    "log_x": chart.log_x,
                    "log_y": chart.log_y,
                    "series": {
                        name: [list(p) for p in points] for name, points in chart.series.items()
                    },
                }
                for chart in self.charts
            ],
        }


def plain(cell: Cell) -> Any:
    if not isinstance(cell, Cut):
        return cell
    return {
        "text": [piece.decode("utf-8", "backslashreplace") for piece in cell.pieces],
        "hex": [piece.hex() for piece in cell.pieces],
    }
