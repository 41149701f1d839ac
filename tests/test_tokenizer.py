"""What a tokenizer is made of, and the tokenizers that are made from one."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import pytest
from hard_texts import ANY_TEXT, CORPUS, NAMES, SPECIAL_TOKENS, normalizing, trained
from hypothesis import given
from hypothesis import strategies as st

import bytepair
from bytepair import Tokenizer, TrainingWarning, VocabError
from bytepair.pattern import named_patterns
from bytepair.protocol import Inspectable, TokenizerLike

BYTES = {bytes([byte]): byte for byte in range(256)}
VOCAB = {byte: token for token, byte in BYTES.items()}
MERGES = [(b"l", b"o"), (b"lo", b"w"), (b"e", b"r")]


def low(**options: Any) -> Tokenizer:
    return Tokenizer.from_merges(MERGES, **options)


# ------------------------------------------------------------------ building


def test_from_merges_numbers_bytes_then_merges() -> None:
    tok = low()
    assert tok.vocab == VOCAB | {256: b"lo", 257: b"low", 258: b"er"}
    assert list(tok.vocab) == list(range(259))
    assert tok.merges == MERGES
    assert tok.pattern == named_patterns()["gpt2"][0]
    assert tok.special_tokens == {}
    assert not tok.ignore_merges
    assert tok.normalization is None
    assert tok.name is None


def test_vocab_fixes_the_ids_and_keeps_what_no_merge_makes() -> None:
    vocab = {1000 + byte: token for byte, token in VOCAB.items()}
    vocab |= {5: b"low", 7: b"lo", 3: b"er", 9: b"unmade"}
    tok = low(vocab=vocab, pattern=None)
    assert tok.vocab == dict(sorted(vocab.items()))
    assert list(tok.vocab) == sorted(vocab)
    assert tok.encode("lower unmade")[:2] == [5, 3]
    assert 9 not in tok.encode("unmade")
    assert low(vocab=vocab, pattern=None, ignore_merges=True).encode("unmade") == [9]
    assert tok.merges == MERGES


def test_from_ranks_works_out_the_merges() -> None:
    ranks = BYTES | {b"lo": 256, b"low": 300, b"er": 258}
    tok = Tokenizer.from_ranks(ranks, pattern="gpt2")
    assert tok.vocab == {rank: token for token, rank in sorted(ranks.items(), key=lambda i: i[1])}
    assert tok.merges == [(b"l", b"o"), (b"e", b"r"), (b"lo", b"w")]
    # Whole lookup finds nothing that the merges do not make, unless a token is out of their reach.
    assert not tok.ignore_merges
    assert Tokenizer.from_ranks(ranks | {b"abcd": 400}, pattern=None).ignore_merges


def test_it_is_not_made_directly() -> None:
    with pytest.raises(TypeError, match=r"use bytepair\.load, bytepair\.train, Tokenizer\.from_"):
        Tokenizer()


@pytest.mark.parametrize("normalization", ["nfc", "NFC"])
def test_normalization(normalization: str) -> None:
    tok = low(normalization=normalization)
    assert tok.normalization == "nfc"
    assert tok.normalize("e\u0301") == "é"
    assert tok.decode(tok.encode("e\u0301")) == "é"
    assert tok.pretokens("e\u0301 x") == ["é".encode(), b" x"]
    assert low().normalize("e\u0301") == "e\u0301"
    with pytest.raises(ValueError, match="normalization=`nfkc`"):
        low(normalization="nfkc")


def test_normalize_shows_ill_formed_bytes() -> None:
    assert low().normalize(b"a\xffb") == "a\ufffdb"
    assert low(normalization="nfc").normalize(b"e\xcc\x81\xff\xcc\x81") == "é\ufffd\u0301"


# ------------------------------------------------------------------ three numbers, gaps


def test_three_numbers_are_never_confused() -> None:
    tok = low(special_tokens={"<s>": 300, "<t>": 302})
    assert len(tok) == 256 + 3 + 2
    assert tok.vocab_size == 303
    assert tok.gaps == [*range(259, 300), 301]
    assert len(tok.vocab) == 259
    assert len(tok) + len(tok.gaps) == tok.vocab_size


def test_those_of_cl100k() -> None:
    tok = bytepair.load("cl100k_base")
    assert (len(tok), tok.vocab_size) == (100_261, 100_277)
    assert len(tok.gaps) == 16
    assert bytepair.info("qwen2.5").published_vocab_size == 152_064


def test_a_token_without_bytes_counts_but_never_comes_out() -> None:
    tok = Tokenizer.from_ranks(BYTES | {b"": 256}, pattern=None)
    assert (len(tok), tok.token_bytes(256), tok.vocab[256]) == (257, b"", b"")
    assert 256 not in tok.encode("abc")
    assert tok.decode([256, 97]) == "a"


# ------------------------------------------------------------------ patterns


@pytest.mark.parametrize("name", NAMES)
def test_pattern_is_the_expression_itself(name: str) -> None:
    stages = named_patterns()[name]
    tok = low(pattern=name)
    assert tok.pattern == (stages[0] if len(stages) == 1 else stages)
    assert low(pattern=tok.pattern) == tok
    assert low(pattern=list(stages)) == tok


def test_patterns_may_be_several_stages_or_none() -> None:
    assert low(pattern=None).pattern is None
    assert low(pattern=()) == low(pattern=None)
    assert low(pattern=None).pretokens("a b") == [b"a b"]
    assert low(pattern=None).pretokens("") == []
    tok = low(pattern=(r"\s+", r"[0-9]"))
    assert tok.pattern == (r"\s+", r"[0-9]")
    assert tok.pretokens("ab 12\n") == [b"ab", b" ", b"1", b"2", b"\n"]
    assert low(pattern=("gpt2", r"[0-9]")).pretokens("a 12") == [b"a", b" ", b"1", b"2"]


@given(text=ANY_TEXT)
def test_pretokens_cover_the_normalized_text(text: str | bytes) -> None:
    for tok in (trained("deepseek_v3"), normalizing(), low(pattern=r"[a-z](?=\d)|\s+(?!\S)")):
        pieces = tok.pretokens(text)
        assert all(pieces)
        assert b"".join(pieces).decode(errors="replace") == tok.normalize(text)


# ------------------------------------------------------------------ immutable, equal, copied


def test_it_cannot_be_changed() -> None:
    tok = low(special_tokens={"<s>": 300})
    for name in ("name", "vocab", "_inner", "anything"):
        with pytest.raises(AttributeError, match="a Tokenizer is immutable"):
            setattr(tok, name, None)
    with pytest.raises(AttributeError, match="a Tokenizer is immutable"):
        del tok._inner
    for change in (
        tok.vocab.clear,
        tok.merges.clear,
        tok.special_tokens.clear,
        tok.added_tokens.clear,
        tok.gaps.clear,
    ):
        change()
    assert tok == low(special_tokens={"<s>": 300})
    assert tok.vocab == VOCAB | {256: b"lo", 257: b"low", 258: b"er"}


OTHERS = {
    "one merge less": lambda: Tokenizer.from_merges(MERGES[:2]),
    "merges in another order": lambda: Tokenizer.from_merges(
        [MERGES[0], MERGES[2], MERGES[1]], vocab=low().vocab
    ),
    "other ids": lambda: low(vocab={id + 1: token for id, token in low().vocab.items()}),
    "one token more": lambda: low(vocab=low().vocab | {259: b"unmade"}),
    "another pattern": lambda: low(pattern="cl100k"),
    "no pattern": lambda: low(pattern=None),
    "normalization": lambda: low(normalization="nfc"),
    "ignore_merges": lambda: low(ignore_merges=True),
    "a special token": lambda: low(special_tokens={"<s>": 300}),
    "another special token": lambda: low(special_tokens={"<t>": 300}),
    "another special id": lambda: low(special_tokens={"<s>": 301}),
    "two special tokens": lambda: low(special_tokens={"<s>": 300, "<t>": 301}),
}


def test_the_fingerprint_differs_after_any_change() -> None:
    toks = {"as it is": low()} | {name: build() for name, build in OTHERS.items()}
    prints = {name: tok.fingerprint for name, tok in toks.items()}
    assert len(set(prints.values())) == len(prints)
    assert all(
        len(value) == 64 and set(value) <= set("0123456789abcdef") for value in prints.values()
    )
    for first in toks:
        for second in toks:
            assert (toks[first] == toks[second]) == (first == second)


def test_the_fingerprint_is_that_of_the_content() -> None:
    assert low().fingerprint == low().fingerprint == low(vocab=low().vocab).fingerprint
    assert low(special_tokens={"<s>": 300, "<t>": 301}).fingerprint == (
        low(special_tokens={"<t>": 301, "<s>": 300}).fingerprint
    )
    assert bytepair.load("gpt2").fingerprint == bytepair.load("gpt2").fingerprint


COPIES = {
    "pickle": lambda tok: pickle.loads(pickle.dumps(tok)),
    "oldest pickle": lambda tok: pickle.loads(pickle.dumps(tok, protocol=2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("way", COPIES)
def test_copies_are_equal(way: str) -> None:
    for tok in (
        *(build() for build in OTHERS.values()),
        trained("deepseek_v3"),
        normalizing(),
        bytepair.load("o200k_base"),
        Tokenizer.from_ranks(BYTES | {b"ab": 300, b"": 299}, pattern=("gpt2", r"\d")),
    ):
        again = COPIES[way](tok)
        assert again == tok
        assert hash(again) == hash(tok)
        assert again.fingerprint == tok.fingerprint
        assert again.name == tok.name
        assert again.special_tokens == tok.special_tokens
        assert again.encode("lower é <s>", allowed_special="all") == (
            tok.encode("lower é <s>", allowed_special="all")
        )


def test_a_bundled_tokenizer_is_pickled_by_its_name() -> None:
    assert len(pickle.dumps(bytepair.load("o200k_base"))) < 200


def test_equality_with_others() -> None:
    tok = low()
    assert tok == tok  # noqa: PLR0124 (that an object equals itself is the point)
    assert tok != "tok"
    assert len({tok, low(), low(pattern=None)}) == 2


# ------------------------------------------------------------------ shown


def test_repr_names_the_sizes() -> None:
    assert repr(low(special_tokens=["<s>"])) == "<bytepair.Tokenizer 260 tokens, 1 special>"
    assert repr(bytepair.load("gpt2")) == "<bytepair.Tokenizer 'gpt2', 50,257 tokens, 1 special>"


def test_a_notebook_shows_html() -> None:
    html = low(special_tokens={"<script>": 300})._repr_html_()
    assert html.startswith("<")
    assert "<script>" not in html
    assert "260" in html


def test_it_has_what_every_tokenizer_has() -> None:
    assert isinstance(low(), TokenizerLike)
    assert isinstance(low(), Inspectable)


# ------------------------------------------------------------------ truncated


def quiet(texts: list[str], size: int, **options: Any) -> Tokenizer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)
        return bytepair.train(texts, size, **options)


@pytest.mark.parametrize("special_first", [False, True])
@pytest.mark.parametrize("ties", ["bytes", "ids", "first", "huggingface"])
def test_truncated_is_what_training_would_have_given(special_first: bool, ties: str) -> None:
    options = {"special_tokens": SPECIAL_TOKENS, "special_first": special_first, "ties": ties}
    whole = quiet(CORPUS, 340, **options)
    for size in (259, 260, 300, 339, 340):
        small = whole.truncated(size)
        assert small == quiet(CORPUS, size, **options)
        assert len(small) == size
    assert whole.truncated(340) == whole


@given(size=st.integers(262, 480))
def test_truncated_encodes_as_trained(size: int) -> None:
    small, text = trained("gpt2").truncated(size), "".join(CORPUS)
    assert len(small) == size
    assert small.merges == trained("gpt2").merges[: size - 259]
    assert small.decode(small.encode(text, allowed_special="all")) == text


def test_truncated_says_what_is_possible() -> None:
    tok = low(special_tokens={"<s>": 300})
    assert tok.truncated(257).merges == []
    for size in (256, 261, 0, -1):
        with pytest.raises(VocabError, match=rf"size `{size}`.* 257 \(no merges\) to 260 tokens"):
            tok.truncated(size)


def test_truncated_keeps_what_no_merge_makes() -> None:
    tok = low(vocab=low().vocab | {400: b"unmade"}, ignore_merges=True)
    small = tok.truncated(258)
    assert small.merges == MERGES[:1]
    assert b"unmade" in small.vocab.values()
    assert small.ignore_merges


def test_truncated_from_ranks() -> None:
    ranks = BYTES | {b"lo": 256, b"low": 257}
    tok = Tokenizer.from_ranks(ranks, pattern=None, special_tokens=["<s>"])
    small = tok.truncated(258)
    assert small.vocab == VOCAB | {256: b"lo"}
    assert small.special_tokens == {"<s>": 257}
    assert small.encode("low") == [256, 119]


# ------------------------------------------------------------------ vocabularies that do not hold


@pytest.mark.parametrize(
    ("build", "named"),
    [
        (lambda: low(vocab={k: v for k, v in low().vocab.items() if k != 65}), "the byte 0x41"),
        (lambda: low(vocab=VOCAB), "merge 0: `lo` is no token of the vocabulary"),
        (lambda: low(vocab=low().vocab | {300: b"lo"}), "the token `lo` has two ids, 256 and 300"),
        (lambda: low(vocab=low().vocab | {-1: b"x y"}), "the id `-1` is negative"),
        (lambda: low(vocab=low().vocab | {2**40: b"x y"}), f"the id `?{2**40}`?"),
        (lambda: Tokenizer.from_merges([(b"a", b"b"), (b"a", b"b")]), "merge 1|the token `ab` has"),
        (lambda: Tokenizer.from_merges([(b"ab", b"c")]), "merge 0: `ab` is no token"),
        (lambda: Tokenizer.from_merges([(b"", b"c")]), "merge 0 has an empty part|the token `c`"),
        (lambda: Tokenizer.from_ranks({b"a": 0}, pattern=None), "no token for the byte 0x00"),
        (lambda: Tokenizer.from_ranks({}, pattern=None), "no token for the byte 0x00"),
        (
            lambda: Tokenizer.from_ranks(BYTES | {b"ab": 97}, pattern=None),
            "the id 97 belongs to two tokens, `(a|ab)` and `(a|ab)`",
        ),
        (lambda: Tokenizer.from_ranks(BYTES | {b"ab": 2**32}, pattern=None), f"`?{2**32}`?"),
    ],
)
def test_a_vocabulary_that_does_not_hold_together_is_named(build: Any, named: str) -> None:
    with pytest.raises(VocabError, match=named):
        build()


@pytest.mark.parametrize(
    "build",
    [
        lambda: Tokenizer.from_merges([("a", "b")]),  # type: ignore[list-item]
        lambda: Tokenizer.from_merges([(b"a", b"b", b"c")]),  # type: ignore[list-item]
        lambda: Tokenizer.from_merges(7),  # type: ignore[arg-type]
        lambda: low(vocab={"a": b"a"}),
        lambda: low(vocab={97: "a"}),
        lambda: low(vocab={True: b"a"}),
        lambda: Tokenizer.from_ranks({"a": 1}, pattern=None),  # type: ignore[dict-item]
        lambda: Tokenizer.from_ranks({b"a": 1.0}, pattern=None),  # type: ignore[dict-item]
        lambda: low(pattern=7),
        lambda: low(pattern=(b"gpt2",)),
    ],
)
def test_data_of_other_types_is_refused(build: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        build()
