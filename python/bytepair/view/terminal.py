"""Tokens on a terminal: coloured tiles, or tiles between bars where there is no colour.

A row is filled with whole tokens; a token wider than the row goes on in the next one (`┆` where it
was cut). Rows are made one at a time, so that a long text costs no memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from rich import box
from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment, Segments
from rich.style import Style
from rich.table import Table
from rich.text import Text

from bytepair.protocol import TokenizerLike
from bytepair.view.colours import ESCAPE_INK, GROUNDS, INK, MUTED_INK
from bytepair.view.pieces import (
    BAR,
    BLANKS,
    CUT,
    Kind,
    Span,
    TokenView,
    byte_length,
    printable,
    readable,
    summary,
    token_views,
)

__all__ = ["TokenFlow", "print_comparison", "print_tokens", "uses_colour"]

# Printed together: printing has a price of its own.
LINES_AT_ONCE = 200


# ------------------------------------------------------------------ styles


@dataclass(frozen=True)
class Palette:
    """Grounds in a cycle, and the ink of each kind of span."""

    grounds: tuple[Style, ...]
    inks: Mapping[Kind, Style]
    ids: Style

    def style(self, place: int, kind: Kind, special: bool) -> Style:
        """For a span of the token with this place in the text."""
        style = self.ground(place) + self.inks[kind]
        return style + SPECIAL if special else style

    def ground(self, place: int) -> Style:
        return self.grounds[place % len(self.grounds)]


PLAIN, SPECIAL = Style(), Style(bold=True)
RICH_PALETTE = Palette(
    tuple(Style(color=INK, bgcolor=ground) for ground in GROUNDS),
    {
        Kind.TEXT: PLAIN,
        Kind.BLANK: Style(color=MUTED_INK),
        Kind.ESCAPE: Style(color=ESCAPE_INK, italic=True),
    },
    Style(color=MUTED_INK),
)
# Sixteen colours have no pastels: nearest matches would make neighbours equal.
ANSI_PALETTE = Palette(
    tuple(Style(color="black", bgcolor=name) for name in ("yellow", "cyan", "green", "magenta")),
    {Kind.TEXT: PLAIN, Kind.BLANK: PLAIN, Kind.ESCAPE: Style(underline=True)},
    PLAIN,
)
NO_PALETTE = Palette((PLAIN,), dict.fromkeys(Kind, PLAIN), PLAIN)


def uses_colour(console: Console) -> bool:
    """Whether colour will reach the reader; where not, bars part the tokens."""
    return console.color_system is not None and not console.no_color


def palette_of(console: Console) -> Palette:
    if not uses_colour(console):
        return NO_PALETTE
    return RICH_PALETTE if console.color_system in {"256", "truecolor"} else ANSI_PALETTE


# ------------------------------------------------------------------ tiles and rows


class Tile(NamedTuple):
    """A token, or as much of a long one as a row holds."""

    view: TokenView
    place: int  # the token's number in the text, which gives its colour
    spans: tuple[Span, ...]
    written: int  # columns that the spans take
    number: str  # the id if it is shown, once for each token
    first: bool
    last: bool

    @property
    def width(self) -> int:
        return max(self.written, len(self.number))


def tiles(views: Iterable[TokenView], widest: int, with_ids: bool) -> Iterator[Tile]:
    for place, view in enumerate(views):
        number = str(view.id) if with_ids and view.id is not None else ""
        width = columns(view.spans)
        if width <= widest:
            yield Tile(view, place, view.spans, width, number, first=True, last=True)
            continue
        parts = chopped(view.spans, widest)
        for at, spans in enumerate(parts):
            first, last = at == 0, at == len(parts) - 1
            yield Tile(view, place, spans, columns(spans), number if first else "", first, last)


def columns(spans: Iterable[Span]) -> int:
    return sum(cell_len(span.text) for span in spans)


def chopped(spans: tuple[Span, ...], widest: int) -> list[tuple[Span, ...]]:
    """`spans` in parts of at most `widest` columns."""
    parts: list[list[Span]] = [[]]
    room = widest
    for text, kind in spans:
        for piece in chop_cells(text, widest):
            width = cell_len(piece)
            if width > room:
                parts.append([])
                room = widest
            parts[-1].append(Span(piece, kind))
            room -= width
    return [tuple(part) for part in parts if part]


def rows(row_tiles: Iterable[Tile], room: int, gap: int) -> Iterator[list[Tile]]:
    """Tiles in rows of at most `room` columns with `gap` between two; a newline ends its row."""
    row: list[Tile] = []
    used = 0
    for tile in row_tiles:
        if row and used + gap + tile.width > room:
            yield row
            row, used = [], 0
        used += tile.width + (gap if row else 0)
        row.append(tile)
        if tile.last and tile.view.data.endswith(b"\n"):
            yield row
            row, used = [], 0
    if row:
        yield row


@dataclass(frozen=True)
class TokenFlow:
    """A rich renderable: tokens one after the other, their ids below if `with_ids`."""

    views: Iterable[TokenView]
    with_ids: bool = False

    def lines(self, console: Console, width: int) -> Iterator[list[Segment]]:
        """The finished lines, made as they are asked for."""
        bars = not uses_colour(console)
        between = BAR if bars else " " if self.with_ids else ""
        room = max(width - 2 * bars, 2)
        palette = palette_of(console)
        for row in rows(tiles(self.views, room, self.with_ids), room, len(between)):
            yield bordered(row, [token_cell(tile, palette) for tile in row], between)
            if self.with_ids:
                yield bordered(row, [id_cell(tile, palette) for tile in row], between)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines(console, options.max_width):
            yield from line
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        gap = 0 if uses_colour(console) and not self.with_ids else 1
        widths = [tile.width for tile in tiles(self.views, options.max_width, self.with_ids)]
        whole = sum(widths) + gap * (len(widths) + 1)
        least = max(widths, default=0) + 2 * gap
        return Measurement(min(least, options.max_width), min(whole, options.max_width))


def bordered(row: list[Tile], cells: list[list[Segment]], between: str) -> list[Segment]:
    """The cells of a row with `between` between them, and outside of them if it is a bar."""
    gap = Segment(between)
    line = [gap, *chain.from_iterable((*cell, gap) for cell in cells)]
    if between != BAR:
        return [segment for segment in line[1:-1] if segment.text]
    line[0] = Segment(BAR if row[0].first else CUT)
    line[-1] = Segment(BAR if row[-1].last else CUT)
    return line


def token_cell(tile: Tile, palette: Palette) -> list[Segment]:
    special = tile.view.special
    cell = [Segment(text, palette.style(tile.place, kind, special)) for text, kind in tile.spans]
    blanks = " " * (tile.width - tile.written)
    return [*cell, Segment(blanks, palette.ground(tile.place))] if blanks else cell


def id_cell(tile: Tile, palette: Palette) -> list[Segment]:
    style = palette.ground(tile.place) + palette.ids
    return [Segment(tile.number.ljust(tile.width), style)]


# ------------------------------------------------------------------ what is printed


def print_tokens(
    name: str,
    text: str | bytes,
    tokenizer: TokenizerLike,
    ids: list[int],
    console: Console,
    *,
    with_ids: bool = True,
) -> None:
    """The tokens of `text` (whose ids are `ids`) under a line that says how many there are."""
    heading = Text.assemble((printable(name), "bold"), f"  {summary(text, len(ids))}")
    console.print(heading, soft_wrap=True)
    flow = TokenFlow(token_views(tokenizer, ids), with_ids)
    lines = flow.lines(console, console.width)
    while batch := list(islice(lines, LINES_AT_ONCE)):
        segments = chain.from_iterable((*line, Segment.line()) for line in batch)
        console.print(Segments(segments), end="", soft_wrap=True)


def print_comparison(
    text: str | bytes, tokenizers: Mapping[str, TokenizerLike], console: Console
) -> None:
    """The same text through several tokenizers, one below the other: how many tokens, and which."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    size = byte_length(text)
    title = "".join(" " if span.text == BLANKS[" "] else span.text for span in readable(data))
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("tokenizer", no_wrap=True)
    table.add_column("tokens", justify="right", no_wrap=True)
    table.add_column("bytes/token", justify="right")
    table.add_column("cut into")
    for name, tokenizer in tokenizers.items():
        ids = tokenizer.encode(text)
        rate = f"{size / len(ids):.2f}" if ids else "–"
        flow = TokenFlow(list(token_views(tokenizer, ids)))
        table.add_row(Text(printable(name)), f"{len(ids):,}", rate, flow)
    console.print(Text(title, "bold"), no_wrap=True, overflow="ellipsis")
    console.print(table)
    console.print()
