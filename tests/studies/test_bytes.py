from __future__ import annotations

from bytepair import studies
from bytepair.classic import CharTokenizer
from bytepair.studies.bytes import IDEOGRAPHS, TEXT, one_by_one, streamed
from bytepair.studies.subjects import bundled


def test_one_by_one_fails_and_a_stream_does_not():
    for tok in bundled().values():
        assert one_by_one(tok, TEXT) != TEXT
        assert "\ufffd" in one_by_one(tok, TEXT)
        assert "".join(streamed(tok, TEXT)) == TEXT == tok.decode(tok.encode(TEXT))


def test_the_stream_is_that_of_the_tokenizers():
    for tok in bundled().values():
        stream = tok.stream()
        pushed = [stream.push(id) for id in tok.encode(TEXT)]
        assert [*pushed, stream.finish()] == streamed(tok, TEXT)


def test_every_chinese_character_can_be_written(study):
    assert (
        "All 20,992 ideographs of the main block can be written by 6 of 6"
        in study("bytes").findings[1]
    )
    for row in study("bytes").table("ideographs by the tokens that they take").rows:
        assert sum(row[1:4]) == len(IDEOGRAPHS)


def test_a_table_of_characters_cannot():
    found = studies.run("bytes", tokenizers={"char": CharTokenizer.build([TEXT])})
    assert "by 0 of 1" in found.findings[1]
