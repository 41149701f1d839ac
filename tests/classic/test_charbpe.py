"""BPE on characters: the given examples, files of codes, and subword-nmt's segmentation."""

from __future__ import annotations

import io

import pytest
from effort import effort
from golden import FACTS
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt import apply_bpe
from tally import judging

import bytepair
from bytepair.classic import CharBPETokenizer
from bytepair.texts import parallel, read

FORMS = pytest.mark.parametrize("glued", [False, True], ids=["0.1", "0.2"])


def judge(path) -> apply_bpe.BPE:
    return apply_bpe.BPE(io.StringIO(path.read_text("utf-8")))


@pytest.fixture(scope="module")
def trained():
    text = read("corpus.en") + "".join(parallel().values())
    return {
        glued: CharBPETokenizer.train([text], 600, glued=glued, min_count=2)
        for glued in (False, True)
    }


# ------------------------------------------------------------------ the given examples


def test_low_lower_new_widest():
    facts = FACTS["end_of_word_bpe"]
    tok = CharBPETokenizer.train(
        facts["words"], len(facts["merges"]), end_of_word=facts["end_of_word"], ties=facts["ties"]
    )
    assert [[*pair, count] for pair, count in zip(tok.merges, tok.counts, strict=True)] == facts[
        "merges"
    ]
    first = CharBPETokenizer.train(facts["words"], 4, end_of_word="</w>", ties="first")
    assert first.merges[2:] == [("n", "e"), ("ne", "w</w>")]


def test_four_sentences():
    facts = FACTS["character_bpe_zh"]
    tok = CharBPETokenizer.train(facts["texts"], 2, end_of_word=None, ties="first")
    sizes = [len(tok.truncated(n)) - 1 for n in range(3)]  # less <UNK>
    assert sizes[0] == facts["initial_vocab"]
    found = [
        [*pair, count, "".join(pair), size]
        for pair, count, size in zip(tok.merges, tok.counts, sizes[1:], strict=True)
    ]
    assert found == facts["merges"]
    assert tok.tokens("今天天气") == ["今天", "天气"]


# ------------------------------------------------------------------ segmentation


@FORMS
def test_as_subword_nmt_on_every_language(trained, tmp_path, glued):
    path = tmp_path / "codes.txt"
    trained[glued].save(path)
    theirs = judge(path)
    with judging(
        f"segmentation, codes {'0.2' if glued else '0.1'}", "subword-nmt", "UDHR, corpus.en"
    ) as tally:
        for text in [*parallel().values(), read("corpus.en")]:
            lines = text.splitlines(keepends=True)
            assert [trained[glued].segment(line) for line in lines] == list(
                map(theirs.process_line, lines)
            )
            tally.add(lines)


@FORMS
def test_as_subword_nmt_on_odd_lines(trained, tmp_path_factory, glued):
    path = tmp_path_factory.mktemp("codes") / "codes.txt"
    trained[glued].save(path)
    theirs = judge(path)

    @settings(max_examples=effort(300))
    @given(
        st.text(
            st.sampled_from(
                [
                    *"theandlow",
                    " ",
                    " ",
                    "\n",
                    "\r",
                    "\t",
                    "\u3000",
                    "@",
                    "犇",
                    "🌍",
                    "é",
                    *"</w>",
                ]
            ),
            max_size=20,
        )
    )
    def check(line):
        assert trained[glued].segment(line) == theirs.process_line(line)

    check()


def test_another_separator(trained):
    tok = trained[True]
    plain = tok.segment("untrained words")
    assert tok.segment("untrained words", separator="##") == plain.replace("@@", "##")
    assert plain.replace("@@ ", "") == "untrained words"


# ------------------------------------------------------------------ files of codes


@FORMS
def test_codes_there_and_back(trained, tmp_path, glued):
    path = tmp_path / "codes.txt"
    trained[glued].save(path)
    assert path.read_text("utf-8").startswith(f"#version: {'0.2' if glued else '0.1'}\n")
    loaded = CharBPETokenizer.load(path)
    assert (
        loaded.merges == trained[glued].merges and loaded.glued == glued and loaded.name == "codes"
    )
    by_name = bytepair.load(f"charbpe:{path}")
    for line in ("the new words", "犇 unseen", ""):
        assert loaded.segment(line) == by_name.segment(line) == trained[glued].segment(line)


def test_a_file_without_a_version_is_of_the_first(tmp_path):
    path = tmp_path / "old.codes"
    path.write_text("l o\nlo w\nlow </w>\n", encoding="utf-8")
    tok = CharBPETokenizer.load(path)
    assert not tok.glued and tok.tokens("low lowl") == ["low</w>", "low", "l", "</w>"]
    assert tok.segment("low lowl") == judge(path).process_line("low lowl")


@pytest.mark.parametrize(
    "content, message",
    [
        (b"#version: 0.3\na b\n", "line 1: version `0.3`"),
        (b"#version: x\n", "line 1: version `x`"),
        (b"#version: 0.2\na b\nc\n", "line 3: `c` is no merge"),
        (b"a b c\n", "line 1: `a b c` is no merge"),
        (b"a b\n\nc d\n", "line 2"),
        (b"a b\n\xff b\n", "line 2: no UTF-8"),
    ],
)
def test_damaged_codes(tmp_path, content, message):
    path = tmp_path / "codes.txt"
    path.write_bytes(content)
    with pytest.raises(bytepair.FormatError, match=r"codes\.txt") as caught:
        CharBPETokenizer.load(path)
    assert message in str(caught.value)


def test_an_absent_file_and_a_name_without_one(tmp_path):
    with pytest.raises(bytepair.FormatError, match="cannot be read"):
        bytepair.load(f"charbpe:{tmp_path / 'absent'}")
    with pytest.raises(bytepair.UnknownNameError, match="`charbpe` needs a file of codes"):
        bytepair.load("charbpe")


@pytest.mark.parametrize("mark", [None, "§"])
def test_codes_hold_no_other_mark(tmp_path, mark):
    tok = CharBPETokenizer.train(["low lower"], 2, end_of_word=mark)
    with pytest.raises(bytepair.FormatError, match=r"end the path in `\.json`"):
        tok.save(tmp_path / "codes.txt")
    assert list(tmp_path.iterdir()) == []
    tok.save(tmp_path / "codes.json")
    assert bytepair.load(tmp_path / "codes.json") == tok


# ------------------------------------------------------------------ ids


@FORMS
def test_unknown_characters(trained, glued):
    tok = trained[glued].truncated(100)
    assert tok.unknowns("the 𰻝 cat") == ["𰻝"]
    assert tok.unknown_id in tok.encode("𰻝") and len(tok.merges) == 100
    assert tok.decode(tok.encode("the cat")) == "the cat"


def test_truncated_is_what_training_gives(trained):
    tok = trained[False]
    text = read("corpus.en") + "".join(parallel().values())
    assert tok.truncated(50) == CharBPETokenizer.train([text], 50, min_count=2)
    with pytest.raises(ValueError, match="from 0 to 600"):
        tok.truncated(601)
