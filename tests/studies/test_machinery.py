"""What every study has, and the data that they are made of."""

from __future__ import annotations

import json
import math
from pathlib import Path

import effort
import pytest
from child import run_child

import bytepair
from bytepair import studies
from bytepair.classic import ByteTokenizer
from bytepair.studies.study import Chart, Cut, Study, Table, cut

NAMES = studies.names()
#: Modules of the package that are no studies.
SHARED_MODULES = {"__init__", "study", "subjects"}
#: A study that measures seconds cannot say the same twice.
TIMED = {"naive-vs-incremental"}
#: Those that take seconds, run a second time in the exhaustive run alone.
SLOW = {"align", "glitch", "models"}
ALL_BUT_TIMED = """
import json
from bytepair import studies
for name in sys.argv[1:]:
    print(json.dumps(studies.run(name).as_json(), sort_keys=True))
"""


def test_every_module_is_listed_once():
    modules = {path.stem for path in Path(studies.__file__).parent.glob("*.py")}
    assert sorted(name.replace("-", "_") for name in NAMES) == sorted(modules - SHARED_MODULES)


def test_the_command_has_every_option():
    for name in NAMES:
        assert studies.options(name) <= {"tokenizers", "text"}


@pytest.mark.parametrize("name", NAMES)
def test_it_asks_and_finds_with_figures(study, name):
    found = study(name)
    assert found.name == name
    assert found.question == studies.question(name) and found.question.endswith("?")
    assert found.tables and found.findings and found.charts
    for finding in found.findings:
        assert finding.endswith(".") and "{" not in finding
    assert any(character.isdigit() for finding in found.findings for character in finding)


@pytest.mark.parametrize("name", NAMES)
def test_it_can_be_written_as_json_and_read_again(study, name):
    plain = study(name).as_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["study"] == name
    for table in plain["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])


@pytest.mark.parametrize("name", NAMES)
def test_titles_tell_its_tables_apart(study, name):
    titles = [table.title for table in study(name).tables]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", NAMES)
def test_its_tables_have_rows_and_its_columns_names_of_their_own(study, name):
    for table in study(name).tables:
        assert table.rows
        assert len(set(table.columns)) == len(table.columns)
        assert set(table.digits) <= set(table.columns)


@pytest.mark.parametrize("name", NAMES)
def test_its_charts_can_be_drawn(study, name):
    for chart in study(name).charts:
        assert chart.kind in ("line", "bar") and chart.x and chart.y and chart.series
        for points in chart.series.values():
            assert points
            for x, y in points:
                assert math.isfinite(y) and (y > 0 or not chart.log_y)
                if chart.kind == "line":
                    assert math.isfinite(x) and (x > 0 or not chart.log_x)


def test_the_seed_of_hashing_plays_no_part(study):
    left_out = TIMED if effort.EXHAUSTIVE else TIMED | SLOW
    names = [name for name in NAMES if name not in left_out]
    lines = run_child(ALL_BUT_TIMED, *names, PYTHONHASHSEED="77").splitlines()
    for name, line in zip(names, lines, strict=True):
        assert json.loads(line) == study(name).as_json(), name


@pytest.mark.parametrize("name", [name for name in NAMES if "tokenizers" in studies.options(name)])
def test_it_takes_other_tokenizers(name):
    found = studies.run(name, tokenizers={"mine": ByteTokenizer()})
    assert any(
        "mine" in map(str, table.column(table.columns[0])) or "mine" in table.columns
        for table in found.tables
    )


@pytest.mark.filterwarnings("ignore::bytepair.TrainingWarning")  # it is a small text
@pytest.mark.parametrize("name", [name for name in NAMES if "text" in studies.options(name)])
def test_it_takes_another_text(name):
    text = "".join(f"the cat number {n} sat on the mat, and the dog did not!\n" for n in range(40))
    assert studies.run(name, text=text).findings != studies.run(name, text=text[:900]).findings


def test_unknown_names_and_options():
    with pytest.raises(bytepair.UnknownNameError, match="did you mean `letters`"):
        studies.run("leters")
    with pytest.raises(bytepair.UnknownNameError) as caught:
        studies.run("xyzzy")
    assert caught.value.hint == "`bytepair study` lists them all"
    for ask in (studies.question, studies.options):
        with pytest.raises(bytepair.UnknownNameError, match="unknown study `study`"):
            ask("study")  # a module of the package, and no study
    with pytest.raises(TypeError, match="`letters` takes no `text`"):
        studies.run("letters", text="a")


def test_a_row_must_fit_its_columns():
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        Table("t", ("a",), [(1, 2)])


def test_tables_are_asked_by_name():
    table = Table("t", ("name", "n"), [("a", 1), ("b", None)])
    assert table.column("n") == [1, None]
    assert table.row("b") == {"name": "b", "n": None}
    assert Study("s", "Q?", (), (table,)).table("t") is table
    with pytest.raises(LookupError, match="`t` has no row that begins with `c`"):
        table.row("c")
    with pytest.raises(LookupError, match="the study `s` has no table `u`, but `t`"):
        Study("s", "Q?", (), (table,)).table("u")


def test_a_cut_keeps_bytes():
    found = cut(ByteTokenizer(), "é")
    assert found == Cut((b"\xc3", b"\xa9")) and str(found) == "\\xc3|\\xa9"
    chart = Chart("c", "bar", "x", "y", {"s": [("a", 1)]})
    plain = Study("s", "Q?", ("F.",), (Table("t", ("a",), [(found,)]),), (chart,)).as_json()
    assert plain["tables"][0]["rows"] == [[{"text": ["\\xc3", "\\xa9"], "hex": ["c3", "a9"]}]]
    assert plain["charts"][0]["series"] == {"s": [["a", 1]]}
