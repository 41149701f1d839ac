"""Tokens on a terminal: coloured tiles, or tiles between bars where there is no colour.

A row is filled with whole tokens; a token wider than the row goes on in the next one (`┆` where it
was cut). Rows are made one at a time, so that a long text costs no memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
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


# ------------------------------------------------------------------ styles


@dataclass(frozen=True)
class Palette:
    grounds: tuple[Style, ...]
    inks: Mapping[Kind, Style]
    muted: Style


RICH_PALETTE = Palette(
    tuple(Style(color=INK, bgcolor=ground) for ground in GROUNDS),
    {
        Kind.TEXT: Style(),
        Kind.BLANK: Style(color=MUTED_INK),
        Kind.ESCAPE: Style(color=ESCAPE_INK, italic=True),
    },
    Style(color=MUTED_INK),
)
# Sixteen colours have no pastels: nearest matches would make neighbours equal.
ANSI_PALETTE = Palette(
    tuple(Style(color="black", bgcolor=name) for name in ("yellow", "cyan", "green", "magenta")),
    {Kind.TEXT: Style(), Kind.BLANK: Style(), Kind.ESCAPE: Style(underline=True)},
    Style(),
)
NO_PALETTE = Palette(
    (Style(),), {Kind.TEXT: Style(), Kind.BLANK: Style(), Kind.ESCAPE: Style()}, Style()
)
SPECIAL = Style(bold=True)


def uses_colour(console: Console) -> bool:
    """Whether colour will reach the reader; where not, bars part the tokens."""
    return console.color_system is not None and not console.no_color


def palette_of(console: Console) -> Palette:
    if not uses_colour(console):
        return NO_PALETTE
    return RICH_PALETTE if console.color_system in {"256", "truecolor"} else ANSI_PALETTE


# ------------------------------------------------------------------ tiles and rows


@dataclass(frozen=True, slots=True)
class Tile:
    """A token, or as much of a long one as a row holds."""

    view: TokenView
    place: int  # the token's number in the text, which gives its colour
    spans: tuple[Span, ...]
    first: bool
    last: bool

    @property
    def number(self) -> str:
        return str(self.view.id) if self.first else ""

    def width(self, with_ids: bool) -> int:
        shown = sum(cell_len(span.text) for span in self.spans)
        return max(shown, len(self.number)) if with_ids else shown

    @property
    def ends_line(self) -> bool:
        return self.last and self.view.data.endswith(b"\n")


def tiles(views: Iterable[TokenView], widest: int) -> Iterator[Tile]:
    for place, view in enumerate(views):
        parts = chopped(view.spans, widest)
        for at, spans in enumerate(parts):
            yield Tile(view, place, spans, first=at == 0, last=at == len(parts) - 1)


def chopped(spans: tuple[Span, ...], widest: int) -> list[tuple[Span, ...]]:
    """`spans` in parts of at most `widest` columns; one part, perhaps empty, at the least."""
    if sum(cell_len(span.text) for span in spans) <= widest:
        return [spans]
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


def rows(row_tiles: Iterable[Tile], room: int, gap: int, with_ids: bool) -> Iterator[list[Tile]]:
    """Tiles in rows of at most `room` columns with `gap` between two; a newline ends its row."""
    row: list[Tile] = []
    used = 0
    for tile in row_tiles:
        width = tile.width(with_ids)
        if row and used + gap + width > room:
            yield row
            row, used = [], 0
        used += width + (gap if row else 0)
        row.append(tile)
        if tile.ends_line:
            yield row
            row, used = [], 0
    if row:
        yield row


@dataclass(frozen=True)
class TokenFlow:
    """A rich renderable: tokens one after the other, their ids below if `with_ids`."""

    views: Iterable[TokenView]
    with_ids: bool = False

    def lines(self, console: Console, width: int) -> Iterator[Text]:
        """The finished lines, made as they are asked for."""
        bars = not uses_colour(console)
        between = BAR if bars else " " if self.with_ids else ""
        room = max(width - 2 * bars, 2)
        palette = palette_of(console)
        for row in rows(tiles(self.views, room), room, len(between), self.with_ids):
            yield self.line(row, palette, between, ids=False)
            if self.with_ids:
                yield self.line(row, palette, between, ids=True)

    def line(self, row: list[Tile], palette: Palette, between: str, ids: bool) -> Text:
        text = Text(no_wrap=True, end="")
        bars = between == BAR
        if bars:
            text.append(BAR if row[0].first else CUT)
        for at, tile in enumerate(row):
            if at:
                text.append(between)
            ground = palette.grounds[tile.place % len(palette.grounds)]
            width = tile.width(self.with_ids)
            text.append_text(
                numbered(tile, palette, ground) if ids else written(tile, palette, ground)
            )
            missing = width - (len(tile.number) if ids else tile.width(with_ids=False))
            text.append(" " * missing, ground)
        if bars:
            text.append(BAR if row[-1].last else CUT)
        return text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines(console, options.max_width):
            line.end = "\n"
            yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        gap = 0 if uses_colour(console) and not self.with_ids else 1
        widths = [tile.width(self.with_ids) for tile in tiles(self.views, options.max_width)]
        whole = sum(widths) + gap * (len(widths) + 1)
        least = max(widths, default=0) + 2 * gap
        return Measurement(min(least, options.max_width), min(whole, options.max_width))


def written(tile: Tile, palette: Palette, ground: Style) -> Text:
    text = Text()
    for span in tile.spans:
        style = ground + palette.inks[span.kind]
        text.append(span.text, style + SPECIAL if tile.view.special else style)
    return text


def numbered(tile: Tile, palette: Palette, ground: Style) -> Text:
    return Text(tile.number, ground + palette.muted)


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
    for line in flow.lines(console, console.width):
        console.print(line, soft_wrap=True)


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
