"""BPE on characters: the given examples, files of codes, and subword-nmt's segmentation."""

from __future__ import annotations

import io
import lzma

import pytest
from effort import effort
from golden import FACTS
from hard_texts import BROKEN_TEXTS, TEXTS
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt import apply_bpe
from tally import judging

import bytepair
from bytepair.arguments import repair
from bytepair.classic import CharBPETokenizer, charbpe
from bytepair.classic.codes import read_codes, written_codes
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


@pytest.mark.parametrize("name", ["english", "chinese", "code", "scripts"])
@FORMS
def test_as_subword_nmt_on_corpora(trained, tmp_path, shared, name, glued):
    path = tmp_path / "codes.txt"
    trained[glued].save(path)
    theirs = judge(path)
    with lzma.open(shared / "corpora" / f"{name}.txt.xz") as file:
        lines = file.read(effort(200_000, most=8_000_000)).decode("utf-8", "ignore").split("\n")
    with judging("segmentation", "subword-nmt", f"{name}.txt") as tally:
        assert list(map(trained[glued].segment, lines)) == list(map(theirs.process_line, lines))
        tally.add(lines)


@FORMS
def test_as_subword_nmt_on_hard_texts(trained, tmp_path_factory, glued):
    """Characters of every kind, surrogates, texts as bytes; `segment` is `process_line` without
    what stands around the line."""
    path = tmp_path_factory.mktemp("codes") / "codes.txt"
    trained[glued].save(path)
    theirs = judge(path)

    @settings(max_examples=effort(200))
    @given(TEXTS | BROKEN_TEXTS)
    def check(text):
        whole = repair(text)
        assert trained[glued].segment(text) == theirs.process_line(whole)
        assert trained[glued].segment(text.strip("\r\n ")) == theirs.segment(whole)
        assert trained[glued].segment(whole.encode()) == theirs.process_line(whole)

    check()


@FORMS
def test_a_text_full_of_marks(tmp_path, glued):
    """Symbols that are spelled as the mark is, as in TEI's `<w>word</w>`."""
    lines = ["<w>the</w> <w>cat</w>", "x</w>", "</w></w> a</w>b </w>", "<w>a</w><w>b</w>"]
    tok = CharBPETokenizer.train(lines * 3, 12, glued=glued)
    tok.save(tmp_path / "codes.txt")
    theirs = judge(tmp_path / "codes.txt")
    assert list(map(tok.segment, lines)) == list(map(theirs.process_line, lines))


@FORMS
def test_tokens_and_segments_agree(trained, glued):
    tok, text = trained[glued], read("corpus.en")[:30_000]
    tokens = [token.removesuffix("</w>") for token in tok.tokens(text) if token != "</w>"]
    pieces = " ".join(map(tok.segment, text.split("\n"))).split(" ")
    assert tokens == [piece.removesuffix("@@") for piece in pieces if piece]


def test_words_beyond_what_is_remembered(trained, monkeypatch):
    text = read("corpus.en")[:20_000]
    expected = trained[True].segment(text)
    monkeypatch.setattr(charbpe, "REMEMBERED", 10)
    small = trained[True].truncated(600)
    assert small.segment(text) == expected and len(small._remembered) <= 10
    small.tokens("x" * 500)
    assert all(len(word) <= 100 for word in small._remembered)


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
    "content, glued, merges",
    [
        ("#version: 0.1\na b", False, [("a", "b")]),
        ("#version: 0.2\r\na b \r\n", True, [("a", "b")]),
        ("#version: 0.2.0\na b\n\n\n", True, [("a", "b")]),
        ("#version: 0.2\n", True, []),
        ("", False, []),
        ("a b\nc d\na b\n", False, [("a", "b"), ("c", "d")]),  # the first of two counts
        ("\u00a0 \u3000\n", False, [("\u00a0", "\u3000")]),
    ],
)
def test_ways_to_write_codes(tmp_path, content, glued, merges):
    path = tmp_path / "codes.txt"
    path.write_bytes(content.encode())
    assert read_codes(path) == (merges, glued)


SYMBOLS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \r\n"), min_size=1, max_size=4
)


@given(merges=st.lists(st.tuples(SYMBOLS, SYMBOLS), max_size=8, unique=True), glued=st.booleans())
def test_every_merge_that_can_be_written_is_read(tmp_path_factory, merges, glued):
    path = tmp_path_factory.mktemp("codes") / "codes.txt"
    path.write_bytes(written_codes(merges, glued))
    assert read_codes(path) == (merges, glued)


@pytest.mark.parametrize("symbol", ["a b", "a\r", "\n"])
def test_symbols_that_codes_cannot_hold(tmp_path, symbol):
    path = tmp_path / "codes.txt"
    path.write_text("old")
    tok = CharBPETokenizer("a", [("a", symbol)])
    with pytest.raises(bytepair.FormatError, match="cannot hold") as caught:
        tok.save(path)
    assert caught.value.hint == "end the path in `.json`" and path.read_text() == "old"
    tok.save(tmp_path / "whole.json")
    assert bytepair.load(tmp_path / "whole.json") == tok


def test_the_alphabet_of_a_file_is_that_of_its_merges(tmp_path):
    path = tmp_path / "codes.txt"
    path.write_text("#version: 0.2\no w</w>\nl ow</w>\n")
    tok = CharBPETokenizer.load(path)
    assert tok.alphabet == ["l", "o", "w"] and tok.unknowns("lown low") == ["n"]
    assert tok.decode(tok.encode("low lo wl")) == "low lo wl"


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


def test_the_table():
    apart = CharBPETokenizer.train({"ab": 2, "b": 1}, 1)
    assert [*apart.vocab.values()] == [b"<UNK>", b"a", b"b", b"</w>", b"b</w>"]
    glued = CharBPETokenizer.train({"ab": 2, "b": 1}, 1, glued=True)
    assert [*glued.vocab.values()] == [b"<UNK>", b"a", b"b", b"a</w>", b"b</w>", b"ab</w>"]
    # A character that stood inside words alone is known at their end, too.
    assert glued.decode(glued.encode("ba")) == "ba" and glued.unknowns("ba") == []


def test_unknown_characters_where_words_end():
    apart, glued = (CharBPETokenizer.train({"low": 3, "new": 2}, 3, glued=g) for g in (False, True))
    for tok in (apart, glued):
        assert tok.encode("l犇ow new犇 x").count(0) == 3
        assert tok.unknowns("l犇ow new犇 x") == ["犇", "犇", "x"]
    assert apart.decode(apart.encode("new犇 new")) == "new<UNK> new"
    assert glued.decode(glued.encode("new犇 new")) == "new<UNK>new"  # it took the mark with it


def test_a_text_that_spells_unknown():
    tok = CharBPETokenizer.train(["<UNK>"] * 3, 4, end_of_word=None)
    assert tok.tokens("<UNK>") == ["<UNK>"] and tok.encode("<UNK>") == [0]
    assert tok.decode([0]) == "<UNK>"


def test_merges_that_spell_the_same_are_one_token():
    tok = CharBPETokenizer("abc", [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc")])
    assert len(tok) == 1 + 3 + 1 + 3 and tok.tokens("abc") == ["abc", "</w>"]


def test_special_tokens_are_refused_with_dropout_too(trained):
    for dropout in (0.0, 0.5):
        assert trained[True].encode("a", allowed_special="all", dropout=dropout)
        with pytest.raises(bytepair.SpecialTokenError, match="`charbpe` has no special tokens"):
            trained[True].encode("a", allowed_special={"<x>"}, dropout=dropout)


def test_the_counts_must_fit():
    with pytest.raises(ValueError, match="1 counts for 2 merges"):
        CharBPETokenizer("abc", [("a", "b"), ("ab", "c")], counts=[3])
