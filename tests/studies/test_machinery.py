"""What every study has, and the data that they are made of."""

from __future__ import annotations

import json

import pytest

import bytepair
from bytepair import studies
from bytepair.classic import ByteTokenizer
from bytepair.studies.study import Chart, Cut, Study, Table, cut

NAMES = studies.names()


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
    assert json.loads(json.dumps(plain)) == json.loads(json.dumps(plain, allow_nan=False))
    assert plain["study"] == name
    for table in plain["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])


@pytest.mark.parametrize("name", NAMES)
def test_titles_tell_its_tables_apart(study, name):
    titles = [table.title for table in study(name).tables]
    assert len(set(titles)) == len(titles)


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
    for ask in (lambda: table.row("c"), lambda: Study("s", "Q?", (), ()).table("t")):
        with pytest.raises(LookupError):
            ask()


def test_a_cut_keeps_bytes():
    found = cut(ByteTokenizer(), "é")
    assert found == Cut((b"\xc3", b"\xa9")) and str(found) == "\\xc3|\\xa9"
    chart = Chart("c", "bar", "x", "y", {"s": [("a", 1)]})
    plain = Study("s", "Q?", ("F.",), (Table("t", ("a",), [(found,)]),), (chart,)).as_json()
    assert plain["tables"][0]["rows"] == [[{"text": ["\\xc3", "\\xa9"], "hex": ["c3", "a9"]}]]
    assert plain["charts"][0]["series"] == {"s": [["a", 1]]}
