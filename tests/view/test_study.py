"""Studies on a terminal, on a page, and as plots."""

from __future__ import annotations

import io
import sys
import xml.etree.ElementTree as ET

import pytest
from rich.console import Console

import bytepair
from bytepair.studies.study import Chart, Cut, Study, Table
from bytepair.view.plot import FORMATS, draw
from bytepair.view.study import print_study, study_html

TABLE = Table(
    "the <table>",
    ("name", "count", "share (%)", "cut"),
    [("a\x1b[31m", 12345, 1.5, Cut((b"he", b"\xff"))), ("b", None, 2.25, Cut((b" x",)))],
    digits={"share (%)": 1},
    note="A note & more.",
)
LINE = Chart(
    "A line", "line", "n", "y", {"one": [(1, 1.0), (10, 2.0)], "two": [(1, 3.0)]}, log_x=True
)
BARS = Chart(
    "Bars", "bar", "name", "y", {"only": [("long name " * 3, 1.0), ("b", 2.0)] * 2}, log_y=True
)
STUDY = Study("s", "Is it <so>?", ("It is 1 & 2.",), (TABLE,), (LINE, BARS))


def printed(**options) -> str:
    out = io.StringIO()
    print_study(STUDY, Console(file=out, width=100, **options))
    return out.getvalue()


def test_on_a_terminal_without_colour():
    text = printed(force_terminal=False)
    assert text.startswith("Is it <so>?\n")
    assert "│he│\\xff│" in text and "12,345" in text and "–" in text
    assert "1.5" in text and "2.2" in text and "1.50" not in text
    assert "A note & more." in text and "→ It is 1 & 2." in text


def test_with_colour_the_tiles_have_grounds_and_the_text_has_no_commands():
    text = printed(force_terminal=True, color_system="truecolor", legacy_windows=False)
    assert "\x1b[38;2;23;23;28;48;2;" in text or "48;2;" in text
    assert "\x1b[31m" not in text and "\\x1b[31m" in text


def test_on_a_page_everything_is_escaped():
    heading, html = study_html(STUDY)
    assert heading == "Is it <so>?"
    assert "<h3>the &lt;table&gt;</h3>" in html and "It is 1 &amp; 2." in html
    assert "A note &amp; more." in html and "12,345" in html and "\x1b" not in html
    ET.fromstring(f"<div>{html.replace('<br>', '<br/>')}</div>")


@pytest.mark.parametrize("charts", [(LINE,), (BARS,), (LINE, BARS)], ids=["line", "bars", "both"])
def test_the_same_charts_give_the_same_drawing(charts):
    first = draw(charts)
    assert first == draw(charts)
    text = ET.fromstring(first)
    words = " ".join(text.itertext())
    for chart in charts:
        assert chart.title in words


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_begins_as_it_should(format):
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[format]
    assert draw([LINE], format).startswith(begins)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(bytepair.BytepairError, match=r"bytepair\[plot\]"):
        draw([LINE])
