from __future__ import annotations

import pytest

from bytepair.studies.pretokenize import crosses, mixes


@pytest.mark.parametrize(
    "token, goes_over, mixed",
    [
        (b"of the", True, False),
        (b" the", False, False),
        (b"the ", False, False),
        (b"dog.", False, True),
        (b"...", False, False),
        (b"\n\n", False, False),
        ("é!".encode(), False, True),
        ("天".encode()[:2], False, False),
        (b"x1", False, False),
    ],
)
def test_what_a_token_holds(token, goes_over, mixed):
    assert (crosses(token), mixes(token)) == (goes_over, mixed)


def test_cuts_keep_words_and_marks_apart(study):
    table = study("pretokenize").table("one text, trained with cuts and without")
    cut, uncut = table.row("cut"), table.row("uncut")
    assert cut["cross words"] == cut["mix with punctuation"] == 0
    assert uncut["cross words"] > 100 and uncut["mix with punctuation"] > 50
    assert cut["merges"] == uncut["merges"] == 1_000


def test_the_dogs(study):
    table = study("pretokenize").table("tokens that hold `dog`")
    assert table.row("cut")["such as"].pieces == (b"dog", b" dog")
    uncut = table.row("uncut")["such as"].pieces
    assert {b" dog. ", b" dog! "} < set(uncut)


def test_a_phrase_becomes_a_token(study):
    assert "'hello world, hello p'" in study("pretokenize").findings[3]
