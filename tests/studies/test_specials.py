from __future__ import annotations

import pytest

from bytepair import studies
from bytepair.studies.specials import END, MERGES, is_piece


def test_only_who_is_told_keeps_the_mark_out(study):
    table = study("specials").tables[0]
    told, untold, uncut = (table.row(how) for how in ("kept out", "not told", "not told, uncut"))
    assert [told[c] for c in table.columns[1:]] == [0, 0, 1]
    assert untold["tokens with a piece of it"] > 0
    assert uncut["tokens of the mark and a document"] > 0
    assert untold["tokens of it"] > 1


def test_the_tokens_shown_are_such(study):
    found = study("specials").table("tokens of the mark and a document")
    for piece in found.row("not told, uncut")["such as"].pieces:
        assert END.encode() in piece and piece != END.encode()
    for piece in (
        study("specials").table("tokens with a piece of the mark").row("not told")["such as"].pieces
    ):
        assert is_piece(piece)


def test_the_cut_around_the_mark(study):
    table = study("specials").table("the end of one document and the beginning of the next")
    assert END.encode() in table.row("kept out")["cut into"].pieces
    assert END.encode() not in table.row("not told")["cut into"].pieces
    assert f"of {MERGES} merges" in study("specials").findings[0]


def test_one_document_is_refused():
    for text in ("", "one line"):
        with pytest.raises(ValueError, match="at least two lines"):
            studies.run("specials", text=text)
