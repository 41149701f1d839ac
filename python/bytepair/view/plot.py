"""The charts of a study, drawn by matplotlib (the extra ``plot``)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bytepair.errors import BytepairError
from bytepair.view.pieces import printable

if TYPE_CHECKING:
    from bytepair.studies import Chart

__all__ = ["FORMATS", "draw"]

FORMATS = ("svg", "png", "pdf")
WIDTH, HEIGHT = 8.0, 4.0  # inches, of one chart
MARKED = 20  # points of a line, that each may have its dot
# Distinct to readers who do not see hues, after Okabe and Ito.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#000000", "#999999")


def draw(charts: Sequence[Chart], format: str = "svg") -> bytes:
    """The charts one below the other, as a file of this format; the same charts, the same bytes.

    Raises ``BytepairError`` where matplotlib is not installed.
    """
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise BytepairError(
            "plots are drawn by matplotlib, which is not installed",
            hint="pip install 'bytepair[plot]'",
        ) from None
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "bytepair", "svg.fonttype": "none"}):
        figure = Figure(figsize=(WIDTH, HEIGHT * len(charts)), layout="constrained")
        FigureCanvasAgg(figure)
        for place, chart in enumerate(charts, 1):
            drawn = bars if chart.kind == "bar" else lines
            axes = figure.add_subplot(len(charts), 1, place)
            drawn(axes, chart)
            finish(axes, chart)
        out = io.BytesIO()
        # No date: the same charts give the same file.
        date = {"svg": "Date", "pdf": "CreationDate"}.get(format)
        figure.savefig(out, format=format, metadata={date: None} if date else None, dpi=150)
    return out.getvalue()


def lines(axes: Any, chart: Chart) -> None:
    for place, (name, points) in enumerate(chart.series.items()):
        xs, ys = zip(*points, strict=True)
        marker = "." if len(points) <= MARKED else None
        axes.plot(xs, ys, marker=marker, label=plain(name), color=COLOURS[place % len(COLOURS)])


def bars(axes: Any, chart: Chart) -> None:
    names = list(dict.fromkeys(x for points in chart.series.values() for x, _ in points))
    width = 0.8 / max(len(chart.series), 1)
    for place, (name, points) in enumerate(chart.series.items()):
        shift = (place - (len(chart.series) - 1) / 2) * width
        at = [names.index(x) + shift for x, _ in points]
        colour = COLOURS[place % len(COLOURS)]
        axes.bar(at, [y for _, y in points], width, label=plain(name), color=colour)
    tilted = sum(len(str(name)) for name in names) > 80
    axes.set_xticks(
        range(len(names)), [plain(name) for name in names], rotation=45 if tilted else 0
    )
    if tilted:
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")


def plain(text: object) -> str:
    """As it is written: a dollar begins no formula, and an underscore hides no name of a legend."""
    shown = printable(str(text)).replace("$", r"\$")
    return f"\u200b{shown}" if shown.startswith("_") else shown


def finish(axes: Any, chart: Chart) -> None:
    axes.set_title(plain(chart.title), fontsize=11)
    axes.set_xlabel(chart.x)
    axes.set_ylabel(chart.y)
    if chart.log_x:
        axes.set_xscale("log")
    if chart.log_y:
        axes.set_yscale("log")
    if chart.kind == "line":
        axes.xaxis.set_major_formatter("{x:,.0f}")  # as people write numbers, not as powers
    axes.yaxis.set_major_formatter("{x:,g}")
    if len(chart.series) > 1:
        axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
