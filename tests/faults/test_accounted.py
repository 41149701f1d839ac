"""Every fault that people reported has a test here that bears its id, or waits for its subject."""

from __future__ import annotations

import json
import re
from pathlib import Path

#: The areas, and the numbers of the faults in them.
FAULTS = {
    "E": "01 02 04 06 07 09 11 13",  # encoding
    "D": "01 03 05 06 08 10 11 13",  # decoding and streams
    "S": "02 03 05 06 08",  # special tokens
    "T": "03 04 06 07 09 11",  # training
    "M": "01 03 04",  # memory and blow-up
    "F": "01 03 04 05 07 10",  # formats
    "O": "01 03 04",  # offsets
    "X": "01 02 03 05 06",  # threads and packaging
    "C": "01 03",  # command line
    "Q": "01 04",  # security
    "N": "01 03 05",  # datasets
}
IDS = [area + number for area, numbers in FAULTS.items() for number in numbers.split()]

#: What bytepair does not have yet, so that it cannot be wrong there.
WAITING = {
    "F05": "SentencePiece models are not read",
    "X05": "a matrix of wheels is built by no one yet",
    "N03": "no command writes datasets, so no document ends with a token of its own",
    "N05": "no command writes datasets, and no token is taken for the end of a document",
}

#: Tested where the subject exists, and waiting for the rest of it.
PARTLY = {
    "E07": "`convert` is not there yet: what `save` writes is tested",
    "F10": "a model cannot be extended or merged with another yet: saving and cutting are tested",
    "N01": "no command writes datasets yet: arrays and `encode --numpy` are tested",
}

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent.parent / "docs" / "reference" / "known-faults.md"


def found() -> dict[str, set[str]]:
    """Id → the files that hold tests of that name."""
    files: dict[str, set[str]] = {}
    for path in FOLDER.glob("test_*.py"):
        for id in re.findall(r"^def test_([A-Z]\d\d)_", path.read_text(encoding="utf-8"), re.M):
            files.setdefault(id, set()).add(path.name)
    return files


def test_every_fault_has_a_test_or_a_reason() -> None:
    assert len(IDS) == len({*IDS}) == 51
    assert found().keys() | WAITING.keys() == {*IDS}
    assert found().keys() & WAITING.keys() == set()
    assert PARTLY.keys() - found().keys() == set()


def test_the_page_has_them_all() -> None:
    rows = re.findall(r"^\| ([A-Z]\d\d) \|.*\| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    assert [id for id, _ in rows] == IDS
    for id, where in rows:
        assert {*re.findall(r"`(test_\w+\.py)`", where)} == found().get(id, set()), id


def test_the_list_is_that_of_the_reports(shared: Path) -> None:
    reports = json.loads((shared / "cases" / "reports.json").read_text(encoding="utf-8"))
    assert sorted(report["id"] for report in reports) == sorted(IDS)
