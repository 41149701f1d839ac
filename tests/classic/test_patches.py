"""Patches by stride and by blanks, and what is measured of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bytepair
from bytepair.classic import SpacePatcher, StridePatcher
from bytepair.classic.patch_metrics import boundary_f1, first_change, patch_report, premiums
from bytepair.texts import parallel

# The sentence, the patches and their mean are those of the paper's figure 4, by its rule of spaces.
SENTENCE = "Daenerys Targaryen is in Game of Thrones, a fantasy epic by George R.R. Martin."
PATCHES = (
    "Daenerys_|Targaryen_|is_|in_|Game_|of_|Thrones,|_a_|fantasy_|epic_|by_|George_|R.|R.|_Martin."
)


def test_the_rule_of_spaces():
    patches = SpacePatcher().tokens(SENTENCE)
    assert "|".join(patch.decode().replace(" ", "_") for patch in patches) == PATCHES
    assert len(patches) == 15 and round(len(SENTENCE) / 15, 2) == 5.27


def slow_starts(data: bytes) -> list[int]:
    """The rule as it is said: a patch ends at a space-like byte whose predecessor is none."""

    def space_like(byte: int) -> bool:
        return not (chr(byte).isascii() and chr(byte).isalnum()) and not 0x80 <= byte <= 0xBF

    starts = [0] if data else []
    for at in range(1, len(data) - 1):
        if space_like(data[at]) and not space_like(data[at - 1]):
            starts.append(at + 1)
    return starts


@given(st.text("a1 .,\n世é", max_size=20).map(str.encode) | st.binary(max_size=20))
def test_the_rule_is_what_it_says(data):
    patcher = SpacePatcher()
    assert patcher.starts(data) == slow_starts(data)
    patches = patcher.tokens(data)
    assert b"".join(patches) == data and all(patches)
    # Each patch but the last has something that is no blank.
    assert all(len(slow_starts(patch)) == 1 for patch in patches)


def test_chinese_is_cut_inside_characters():
    patches = SpacePatcher().tokens("今天天气")
    assert [len(patch) for patch in patches] == [4, 3, 3, 2]
    assert patch_report(SpacePatcher(), "今天天气").inside_characters == 100


@given(st.binary(max_size=40), st.integers(1, 9))
def test_strides(data, size):
    patches = StridePatcher(size).tokens(data)
    assert b"".join(patches) == data
    assert all(len(patch) == size for patch in patches[:-1])


@given(st.binary(max_size=30))
def test_the_number_of_a_patch_is_its_bytes(data):
    for patcher in (StridePatcher(3), SpacePatcher()):
        ids = patcher.encode(data)
        assert [patcher.token_bytes(id) for id in ids] == patcher.tokens(data)
        assert patcher.decode_bytes(ids) == data and patcher.count(data) == len(ids)


@pytest.mark.parametrize("id", [-1, 0, 2, 255, 0x200, 0x2FF, 1 << 17])
def test_numbers_of_no_patch(id):
    with pytest.raises(bytepair.VocabError, match=f"`{id}` is the number of no patch"):
        SpacePatcher().token_bytes(id)


@given(st.text("ab .世", max_size=16))
def test_the_beginning_does_not_change(text):
    for patcher in (StridePatcher(3), SpacePatcher()):
        assert first_change(patcher, text.encode()) is None


def test_bpe_changes_it():
    assert first_change(bytepair.load("gpt2"), b"strawberry") is not None


def test_names_and_files(tmp_path):
    assert bytepair.load("space").name == "space" and len(bytepair.load("space")) == 256
    stride = bytepair.load("stride:4")
    assert stride == StridePatcher(4) and stride != StridePatcher(5)
    for patcher in (stride, SpacePatcher()):
        patcher.save(tmp_path / "patcher.json")
        assert bytepair.load(tmp_path / "patcher.json") == patcher
    for wrong in ("stride", "stride:0", "stride:x", "stride:-1", "stride:²"):
        with pytest.raises(bytepair.UnknownNameError, match="stride:4"):
            bytepair.load(wrong)
    with pytest.raises(ValueError, match="size `0`"):
        StridePatcher(0)
    with pytest.raises(TypeError):
        StridePatcher(1.5)


def test_the_report():
    report = patch_report(StridePatcher(4), "ab cd 世")
    assert (report.patches, report.mean, report.median) == (3, 3.0, 4.0)
    assert report.percentile_95 == np.percentile([4, 4, 1], 95)
    assert report.inside_characters == 50 and report.at_word_starts == 0
    by_words = patch_report(SpacePatcher(), "ab cd ef")
    assert by_words.at_word_starts == 100 and by_words.inside_characters == 0
    assert patch_report(SpacePatcher(), "").patches == 0


def test_agreement():
    assert boundary_f1(SpacePatcher(), SpacePatcher(), SENTENCE) == 1
    assert boundary_f1(StridePatcher(2), StridePatcher(100), "abcdef") == 0
    assert boundary_f1(StridePatcher(9), StridePatcher(9), "a") == 1


def test_premiums():
    found = premiums(StridePatcher(1), parallel(), "English")
    assert found["English"] == 1 and found["Hindi"] > 2.5
    texts = parallel()
    assert found["German, Standard (1996)"] == pytest.approx(
        len(texts["German, Standard (1996)"].encode()) / len(texts["English"].encode())
    )


def test_what_loses_text_has_no_places():
    words = bytepair.classic.WordTokenizer.build(["a b"])
    with pytest.raises(ValueError, match="loses a part of the text"):
        patch_report(words, "a  b")


def test_pairs_of_surrogates_are_measured_as_the_character():
    assert patch_report(SpacePatcher(), "\ud83d\ude00 ab cd") == patch_report(
        SpacePatcher(), "😀 ab cd"
    )
    assert patch_report(SpacePatcher(), "\ud800 ab") == patch_report(SpacePatcher(), "\ufffd ab")
