"""What every older tokenizer keeps, whichever its kind."""

from __future__ import annotations

import copy
import itertools
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bytepair
from bytepair import classic
from bytepair.classic.base import UNKNOWN
from bytepair.classic.charbpe_words import words_of
from bytepair.protocol import TokenizerLike

TEXT = "今天天气好, the cat sat on the mat\n"
MADE = {
    "byte": classic.ByteTokenizer(),
    "code-point": classic.CodePointTokenizer(),
    "char": classic.CharTokenizer.build([TEXT]),
    "word": classic.WordTokenizer.build([TEXT]),
    "word by unicode": classic.WordTokenizer.build([TEXT], by="unicode"),
    "dict": classic.DictionaryTokenizer(["今天", "天气", "the", "cat", " "]),
    "dict by frequency": classic.DictionaryTokenizer({"今天": 5, "天气": 3, "气": 0}, "frequency"),
    "charbpe": classic.CharBPETokenizer.train([TEXT], merges=5),
    "charbpe glued": classic.CharBPETokenizer.train([TEXT], merges=5, glued=True),
    "charbpe without a mark": classic.CharBPETokenizer.train([TEXT], merges=5, end_of_word=None),
    "hybrid": classic.HybridTokenizer(["今天", "天气", "cat"], texts=[TEXT]),
}
every = pytest.mark.parametrize("tok", MADE.values(), ids=MADE.keys())
TEXTS = st.text(alphabet="今天气 thecatsom\n,.é\u0301🌍\ud83c", max_size=30)


@every
def test_it_is_a_tokenizer(tok):
    assert isinstance(tok, TokenizerLike)
    assert len(tok) > 0 and repr(tok).startswith(f"<{type(tok).__name__}: ")


@every
@given(text=TEXTS)
def test_ids_tokens_and_counts_agree(tok, text):
    ids, tokens = tok.encode(text), tok.tokens(text)
    assert len(ids) == len(tokens) == tok.count(text)
    unknown = tok.unknowns(text)
    if hasattr(tok, "unknown_id"):
        known = [token for token, id in zip(tokens, ids, strict=True) if id != tok.unknown_id]
        assert ids.count(tok.unknown_id) == len(unknown)
        assert all(tok.token_bytes(tok.token_id(token)).decode() == token for token in known)
    else:
        assert unknown == []
    assert tok.unknown_rate(text) == (len(unknown) / len(tokens) if tokens else 0)


@every
@given(text=TEXTS)
def test_the_way_back(tok, text):
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if tok.kind == "word" and tok.by == "space":
        whole = " ".join(whole.split())
    if tok.kind == "charbpe":
        whole = ("" if tok.end_of_word is None else " ").join(words_of(whole))
    if not tok.unknowns(text):
        assert tok.decode(tok.encode(text)) == whole


@every
@given(text=TEXTS, cuts=st.lists(st.integers(0, 30)))
def test_a_stream_is_the_whole(tok, text, cuts):
    places = sorted({0, *(min(cut, len(text)) for cut in cuts), len(text)})
    chunks = [text[a:b] for a, b in itertools.pairwise(places)]
    assert list(tok.encode_stream(chunks)) == tok.encode(text)
    data = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    pieces = [data[at : at + 3] for at in range(0, len(data), 3)]
    assert list(tok.encode_stream(pieces)) == tok.encode(text)


@every
def test_bytes_that_are_no_utf8(tok):
    if tok.kind == "byte":
        assert tok.decode_bytes(tok.encode(b"a\xff")) == b"a\xff"
    else:
        assert tok.tokens(b"a\xff") == tok.tokens("a\ufffd")


@every
def test_what_is_no_text(tok):
    for wrong in (5, [65, 66], None):
        with pytest.raises(TypeError, match="expected text"):
            tok.encode(wrong)


@every
def test_a_stream_of_both_kinds(tok):
    chunks = ["今\ud83c", "\udf0d", "天".encode()[:1], "天".encode()[1:], "\ud83c", b"cat"]
    assert list(tok.encode_stream(chunks)) == tok.encode("今🌍天\ufffdcat")
    assert list(tok.encode_stream([])) == []


@every
def test_decoding_again_what_was_seen(tok):
    """Ids of every type that counts as a number, each more than once."""
    ids = tok.encode("cat 今天") * 2
    assert tok.decode_bytes(np.array(ids)) == tok.decode_bytes(iter(ids))
    with pytest.raises(TypeError):
        tok.decode_bytes([*ids, True])


@every
def test_it_has_no_special_tokens(tok):
    assert tok.encode("cat", allowed_special="all", disallowed_special="all") == tok.encode("cat")
    for option in ("allowed_special", "disallowed_special"):
        with pytest.raises(bytepair.SpecialTokenError, match="no special tokens"):
            tok.encode("cat", **{option: {"<|endoftext|>"}})


@every
def test_ids_that_are_none(tok):
    for id in (-1, 1 << 40, 0xD800 if tok.kind == "code-point" else len(tok)):
        with pytest.raises(bytepair.VocabError, match=str(id)):
            tok.token_bytes(id)
    with pytest.raises(bytepair.VocabError, match="item 2 of the ids"):
        tok.decode([tok.encode("cat 今天")[0], -1])
    with pytest.raises(TypeError):
        tok.token_bytes("a")


@every
def test_copies_and_pickles(tok):
    for twin in (pickle.loads(pickle.dumps(tok)), copy.deepcopy(tok)):
        assert twin == tok and twin.encode(TEXT) == tok.encode(TEXT) and twin.name == tok.name
    assert tok != object()


@every
def test_saved_and_loaded(tok, tmp_path):
    path = tmp_path / "mine.json"
    tok.save(path)
    loaded = bytepair.load(path)
    assert loaded == tok and type(loaded) is type(tok) and loaded.name == "mine"
    assert type(tok).load(path).encode(TEXT) == tok.encode(TEXT)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.json"]


@every
def test_damaged_files(tok, tmp_path):
    path = tmp_path / "mine.json"
    tok.save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    damaged = [
        {**content, "version": 2},
        {**content, "bytepair": "no-such"},
        [content],
        {key: value for key, value in content.items() if key == "bytepair"},
    ]
    damaged += [
        {**content, key: value}
        for key in content.keys() - {"bytepair", "version"}
        for value in (None, 3, [1], {"a": "b"})
        if value is not None or key not in {"counts", "end_of_word"}  # which need not be there
    ]
    for each in damaged:
        path.write_text(json.dumps(each), encoding="utf-8")
        with pytest.raises(bytepair.FormatError, match=r"mine\.json"):
            type(tok).load(path)
    for data in (b"", b"{", b"\xff", json.dumps(content).encode()[:-3]):
        path.write_bytes(data)
        with pytest.raises(bytepair.FormatError, match=r"mine\.json"):
            type(tok).load(path)
    with pytest.raises(bytepair.FormatError, match="cannot be read"):
        type(tok).load(tmp_path / "absent.json")


def test_a_file_of_another_kind(tmp_path):
    path = tmp_path / "byte.json"
    classic.ByteTokenizer().save(path)
    with pytest.raises(bytepair.FormatError, match="holds a `byte`, not a `char`"):
        classic.CharTokenizer.load(path)


def test_a_token_is_given_twice(tmp_path):
    path = tmp_path / "char.json"
    path.write_text('{"bytepair": "char", "version": 1, "tokens": ["a", "a"]}', encoding="utf-8")
    with pytest.raises(bytepair.FormatError, match="`a` is given twice"):
        bytepair.load(path)


def test_names(tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(TEXT, encoding="utf-8")
    for name, kind in {
        "byte": classic.ByteTokenizer,
        "char": classic.CodePointTokenizer,
        f"char:{corpus}": classic.CharTokenizer,
        f"word:{corpus}": classic.WordTokenizer,
        f"dict:{corpus}": classic.DictionaryTokenizer,
        f"hybrid:{corpus}": classic.HybridTokenizer,
    }.items():
        if name.startswith(("dict", "hybrid")):
            corpus.write_text("今天\n天气\n", encoding="utf-8")
        found = bytepair.load(name)
        assert type(found) is kind and found.name == name


@pytest.mark.parametrize(
    "name, error, message",
    [
        ("byte:3", bytepair.UnknownNameError, "`byte` stands alone"),
        ("word", bytepair.UnknownNameError, "`word` needs a corpus"),
        ("dict:", bytepair.UnknownNameError, "`dict` needs a list of words"),
        ("char:/no/such", bytepair.FormatError, "`/no/such` cannot be read"),
        ("char:", bytepair.UnknownNameError, "`char:` has nothing after its colon"),
        ("char:\0", bytepair.FormatError, "zero byte"),
        ("byte-3:x", bytepair.UnknownNameError, "unknown tokenizer `byte-3:x`"),
        ("chr", bytepair.UnknownNameError, "unknown tokenizer `chr`"),
    ],
)
def test_wrong_names(name, error, message):
    with pytest.raises(error, match=message):
        bytepair.load(name)
    if name != "chr":
        with pytest.raises((ValueError, bytepair.BytepairError)):
            bytepair.load(name, pattern="gpt2")


def test_one_text_is_no_iterable_of_texts():
    for build in (classic.CharTokenizer.build, classic.WordTokenizer.build):
        with pytest.raises(TypeError, match="put it into a list"):
            build("one text")


def test_the_spelling_of_the_unknown_in_a_text():
    """It is text like any other, which a table of words does not hold."""
    words = classic.WordTokenizer.build([f"a {UNKNOWN} b"])
    assert words.encode(f"a {UNKNOWN}") == [1, 0] and words.unknowns(UNKNOWN) == [UNKNOWN]
    chars = classic.CharTokenizer.build([UNKNOWN])
    assert chars.decode(chars.encode(UNKNOWN)) == UNKNOWN and chars.unknowns(UNKNOWN) == []
    assert classic.DictionaryTokenizer([UNKNOWN, "a"]).unknowns(UNKNOWN) == list(UNKNOWN)


@every
def test_numbers_of_thousands_of_digits(tok):
    with pytest.raises(bytepair.VocabError, match=r"bits"):
        tok.token_bytes(1 << 20_000)
