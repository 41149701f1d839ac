"""Studies on a terminal, on a page, and as plots."""

from __future__ import annotations

import html
import io
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from child import run_child
from rich.console import Console

import bytepair
from bytepair.studies.study import Chart, Cut, Study, Table
from bytepair.view.pieces import printable
from bytepair.view.plot import COLOURS, FORMATS, draw
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


def printed(study: Study = STUDY, **options) -> str:
    out = io.StringIO()
    print_study(study, Console(file=out, width=100, **options))
    return out.getvalue()


def one_cell(cell: object) -> Study:
    return Study("s", "Q?", (), (Table("t", ("a",), [(cell,)]),))


def test_on_a_terminal_without_colour():
    text = printed(force_terminal=False)
    assert text.startswith("Is it <so>?\n")
    assert "│he│\\xff│" in text and "12,345" in text and "–" in text
    assert "1.5" in text and "2.2" in text and "1.50" not in text
    assert "A note & more." in text and "→ It is 1 & 2." in text


def test_with_colour_the_tiles_have_grounds_and_the_text_has_no_commands():
    text = printed(force_terminal=True, color_system="truecolor", legacy_windows=False)
    assert "48;2;" in text and "│" not in text
    assert "\x1b[31m" not in text and "\\x1b[31m" in text


def test_sixteen_colours_and_none_at_all():
    few = printed(force_terminal=True, color_system="standard", legacy_windows=False)
    assert "\x1b[30;43m" in few and "48;2;" not in few and "│" not in few
    none = printed(
        force_terminal=True, color_system="truecolor", no_color=True, legacy_windows=False
    )
    assert "│he│\\xff│" in none and "48;2;" not in none and "\x1b[30" not in none


@pytest.mark.parametrize(
    "cell, shown",
    [
        (1234567, "1,234,567"),
        (1234.567, "1,234.57"),
        (-0.5, "-0.50"),
        (0, "0"),
        (None, "–"),
        ("1234567", "1234567"),
        ("[red]x[/red]", "[red]x[/red]"),
        ("a\nb", "a\\x0ab"),
    ],
)
def test_cells_as_they_are_written(cell, shown):
    assert printed(one_cell(cell)).splitlines()[5].strip() == shown
    assert f">{shown}</td>" in study_html(one_cell(cell))[1]


def test_words_that_look_like_markup_stay_words():
    words = "[red]x[/red] [/b] :smile:"
    table = Table(words, ("a",), [(words,), (Cut((b"[red]", b"x")),)], note=words)
    text = printed(Study("s", words, (words,), (table,)), force_terminal=False)
    assert text.count(words) == 5 and "│[red]│x│" in text


def test_numbers_stand_at_the_right_and_names_at_the_left():
    table = Table("t", ("name", "count"), [("a", 7), ("long name", None), ("b", 12345)])
    lines = printed(Study("s", "Q?", (), (table,)), force_terminal=False).splitlines()
    rows = [line for line in lines if line.startswith(("a ", "long name", "b "))]
    assert len(rows) == 3 and len({len(line.rstrip()) for line in rows}) == 1
    body = study_html(Study("s", "Q?", (), (table,)))[1]
    cells = [cell.get("style", "") for cell in ET.fromstring(f"<div>{body}</div>").iter("td")]
    assert [style.split(";")[0].split(":")[1] for style in cells] == ["left", "right"] * 3


def test_a_study_of_words_alone():
    study = Study("s", "Q?", ("It is so.",), ())
    assert printed(study, force_terminal=False) == "Q?\n\n→ It is so.\n"
    assert study_html(study) == ("Q?", "<ul><li>It is so.</li></ul>")


def test_on_a_page_everything_is_escaped():
    heading, html = study_html(STUDY)
    assert heading == "Is it <so>?"
    assert "<h3>the &lt;table&gt;</h3>" in html and "It is 1 &amp; 2." in html
    assert "A note &amp; more." in html and "12,345" in html and "\x1b" not in html
    ET.fromstring(f"<div>{html.replace('<br>', '<br/>')}</div>")


def test_no_part_of_a_page_is_read_as_html():
    evil = "<b>&\"'"
    table = Table(evil, (evil,), [(evil,), (Cut((b"<b>", b"&\"'\n")),)], note=evil)
    body = study_html(Study("s", "Q?", (evil,), (table,)))[1]
    assert "<b>" not in body
    words = list(ET.fromstring(f"<div>{body.replace('<br>', '<br/>')}</div>").itertext())
    assert words.count(evil) == 5 and "<b>" in words


@pytest.mark.parametrize("charts", [(LINE,), (BARS,), (LINE, BARS)], ids=["line", "bars", "both"])
def test_the_same_charts_give_the_same_drawing(charts):
    first = draw(charts)
    assert first == draw(charts)
    text = ET.fromstring(first)
    words = " ".join(text.itertext())
    for chart in charts:
        assert chart.title in words


def test_another_process_draws_the_same():
    program = f"""
        from bytepair.studies import Chart
        from bytepair.view.plot import draw
        sys.stdout.buffer.write(draw([{LINE!r}, {BARS!r}]))
    """
    assert run_child(program, PYTHONHASHSEED="77").encode() == draw([LINE, BARS])


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_gives_the_same_bytes_at_any_hour(format, monkeypatch):
    drawn = set()
    for hour in ("0", "1000000000"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", hour)  # the clock of matplotlib
        drawn.add(draw([LINE, BARS], format))
    assert len(drawn) == 1


def test_each_series_has_its_colour_and_several_a_legend():
    two = draw([LINE]).decode()
    assert all(f"stroke: {colour}" in two for colour in COLOURS[:2])
    assert COLOURS[2] not in two
    words = list(ET.fromstring(two).itertext())
    assert "one" in words and "two" in words
    assert "only" not in list(ET.fromstring(draw([BARS])).itertext())


@pytest.mark.parametrize("chart, scale", [(LINE, "log_x"), (BARS, "log_y")], ids=["log x", "log y"])
def test_a_scale_of_logarithms_changes_the_drawing(chart, scale):
    assert draw([chart]) != draw([replace(chart, **{scale: False})])


def test_names_are_tilted_only_where_they_are_long():
    short = replace(BARS, series={"only": [("a", 1.0), ("b", 2.0)]})
    assert "rotate(-45" not in draw([short]).decode()
    long = replace(BARS, series={"only": [(f"a long name {n}", 1.0) for n in range(9)]})
    assert "rotate(-45" in draw([long]).decode()


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_begins_as_it_should(format):
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[format]
    assert draw([LINE], format).startswith(begins)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(bytepair.BytepairError, match=r"bytepair\[plot\]"):
        draw([LINE])


NAMES = ["[/b].json", "[red]x", "m$\\foo$", "_u", "e\x1b[31m", "b\udcff", "<i>"]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_shown_as_they_are_everywhere(name):
    table = Table("t", ("row", name), [("a", 1)])
    charts = tuple(
        Chart("c", kind, "x", "y", {name: [(1, 1.0)], "b": [(1, 2.0)]}) for kind in ("bar", "line")
    )
    study = Study("s", "Q?", ("F.",), (table,), charts)
    out = io.StringIO()
    print_study(study, Console(file=out, width=100))
    safe = printable(name)
    assert safe in out.getvalue() and "\x1b" not in out.getvalue()
    assert html.escape(safe) in study_html(study)[1]
    words = " ".join(ET.fromstring(draw(charts)).itertext())
    assert safe in words
