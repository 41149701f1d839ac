"""Training: the reference's merges, whatever the threads, files and chunks."""

from __future__ import annotations

import random
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hard_texts import ANY_TEXT, CORPUS, NAMES, SPECIAL_TOKENS
from hypothesis import given
from hypothesis import strategies as st

import bytepair
from bytepair import (
    PatternError,
    SpecialTokenError,
    Tokenizer,
    TrainingWarning,
    VocabError,
    count_pretokens,
    files,
)
from bytepair.reference import PatternTokenizer
from bytepair.reference import count_pretokens as reference_counts
from bytepair.texts import path as text_path

TIES = ["bytes", "ids", "first", "huggingface"]


def train(source: Any, vocab_size: int, **options: Any) -> Tokenizer:
    """Without the warning that it ended early."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)
        return bytepair.train(source, vocab_size, **options)


def reference(source: list[str | bytes], vocab_size: int, **options: Any) -> PatternTokenizer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return PatternTokenizer.train(source, vocab_size, **options)


def assert_same(fast: Tokenizer, slow: PatternTokenizer) -> None:
    assert fast.merges == list(slow.merges)
    assert fast.vocab == dict(sorted(slow.vocab.items()))
    assert fast.special_tokens == slow.special_tokens


# ------------------------------------------------------------------ the reference

REPETITIVE = st.one_of(
    st.text("ab", max_size=60),
    st.text("aé中 \n", max_size=60),
    st.lists(
        st.sampled_from(["low", "lower", " new", "est", "aaaa", "é", "<|a|>"]), max_size=30
    ).map("".join),
)


@pytest.mark.parametrize("ties", TIES)
@given(
    texts=st.lists(st.one_of(REPETITIVE, ANY_TEXT), max_size=6),
    merges=st.integers(0, 40),
    pattern=st.sampled_from([*NAMES, None]),
    special_first=st.booleans(),
    min_count=st.integers(1, 3),
    max_token_length=st.one_of(st.none(), st.integers(1, 6)),
    threads=st.sampled_from([1, 2, 4]),
)
def test_the_reference_gives_the_same(
    ties: str, texts: list[str | bytes], merges: int, threads: int, **options: Any
) -> None:
    options |= {"ties": ties, "special_tokens": SPECIAL_TOKENS}
    size = 256 + len(SPECIAL_TOKENS) + merges
    fast = train(texts, size, threads=threads, **options)
    assert_same(fast, reference(texts, size, **options))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("pattern", ["gpt2", "o200k", None])
def test_the_reference_gives_the_same_on_whole_texts(ties: str, pattern: str | None) -> None:
    options: dict[str, Any] = {"ties": ties, "pattern": pattern, "special_tokens": SPECIAL_TOKENS}
    assert_same(train(CORPUS, 420, **options), reference([*CORPUS], 420, **options))


@given(texts=st.lists(ANY_TEXT, max_size=6), pattern=st.sampled_from([*NAMES, None]))
def test_counts_are_those_of_the_reference(texts: list[str | bytes], pattern: str | None) -> None:
    counts = count_pretokens(texts, pattern, SPECIAL_TOKENS)
    assert counts.items() == list(reference_counts(texts, pattern, tuple(SPECIAL_TOKENS)).items())


# ------------------------------------------------------------------ the rules


def test_ties() -> None:
    texts = ["ab cd", "ab cd"]  # each pair twice
    pair = {ties: train(texts, 257, pattern=r"\s+|\S+", ties=ties).merges for ties in TIES}
    assert pair == {
        "bytes": [(b"c", b"d")],
        "ids": [(b"c", b"d")],
        "first": [(b"a", b"b")],
        "huggingface": [(b"a", b"b")],
    }
    # Hugging Face numbers the printable bytes before the others: 0x00 comes after all letters.
    assert train(["\0a", "bc"], 257, pattern=None, ties="huggingface").merges == [(b"b", b"c")]
    assert train(["\0a", "bc"], 257, pattern=None, ties="ids").merges == [(b"b", b"c")]
    assert train(["zb", "\0a"], 257, pattern=None, ties="bytes").merges == [(b"z", b"b")]


def test_specials_are_split_away_before_counting_and_never_merged() -> None:
    text = "<|endoftext|>a<|endoftext|>a<|endoftext|>" * 50
    tok = train([text], 300, pattern=None, special_tokens=["<|endoftext|>"])
    assert tok.merges == []
    assert tok.special_tokens == {"<|endoftext|>": 256}
    counts = count_pretokens([text], None, ["<|endoftext|>"])
    assert counts.items() == [(b"a", 100)]
    assert counts.text_bytes == 100
    # The longest of those that start at one place.
    assert count_pretokens(["x<|a|>>y"], None, SPECIAL_TOKENS).items() == [(b"x", 1), (b"y", 1)]


def test_numbering() -> None:
    texts, specials = ["low lower"], ["<s>", "<t>"]
    last = train(texts, 260, special_tokens=specials)
    assert last.special_tokens == {"<s>": 258, "<t>": 259}
    assert last.vocab[0] == b"\0"
    first = train(texts, 260, special_tokens=specials, special_first=True)
    assert first.special_tokens == {"<s>": 0, "<t>": 1}
    assert (first.vocab[2], first.vocab[257], first.vocab[258]) == (b"\0", b"\xff", last.vocab[256])
    assert first.merges == last.merges
    assert len(first) == len(last) == first.vocab_size == 260


def test_vocab_size_counts_everything() -> None:
    assert train(["abab"], 256).merges == []
    assert len(train(CORPUS, 300, special_tokens=SPECIAL_TOKENS)) == 300
    for size, specials, smallest in (
        (255, [], 256),
        (0, [], 256),
        (-5, [], 256),
        (258, SPECIAL_TOKENS, 259),
    ):
        with pytest.raises(VocabError, match=f"vocab_size `{size}` is too small") as error:
            bytepair.train(["abab"], size, special_tokens=specials)
        assert f"{smallest} at least" in str(error.value.hint)


def test_training_that_ends_early_warns_with_its_size() -> None:
    with pytest.warns(
        TrainingWarning,
        match=r"^training ended at 258 tokens, 1000 were asked for: no pair is left",
    ) as caught:
        tok = bytepair.train(["aaaa"], 1000)
    assert len(tok) == 258
    assert caught[0].filename == __file__
    with pytest.warns(
        TrainingWarning, match=r"ended at 257 tokens.*1 times, fewer than `min_count`"
    ):
        assert len(bytepair.train(["ababc"], 1000, pattern=None, min_count=2)) == 257
    with pytest.warns(TrainingWarning, match="at 259 tokens"):
        # Special tokens that come last leave no hole.
        tok = bytepair.train(["ab"], 500, special_tokens=["<s>", "<t>"])
    assert tok.special_tokens == {"<s>": 257, "<t>": 258}
    assert tok.gaps == []


@pytest.mark.parametrize("source", [[], [""], ["", b""], iter(())])
def test_nothing_to_train_on(source: Any) -> None:
    with pytest.warns(TrainingWarning, match="ended at 256 tokens, 300 were asked for"):
        tok = bytepair.train(source, 300)
    assert tok.encode("é") == [0xC3, 0xA9]


def test_min_count_and_max_token_length() -> None:
    tok = train(CORPUS, 480, min_count=4)
    counts = count_pretokens(CORPUS)
    assert 0 < len(tok.merges) < len(train(CORPUS, 480, min_count=2).merges)
    assert tok.merges == train(CORPUS, 480).merges[: len(tok.merges)]
    short = train(counts, 400, max_token_length=2)
    assert {len(left + right) for left, right in short.merges} == {2}
    assert train(counts, 400, max_token_length=1).merges == []


@pytest.mark.parametrize(
    ("options", "kind", "named"),
    [
        ({"ties": "random"}, ValueError, r"ties `random`: one of \"bytes\", \"ids\""),
        ({"min_count": 0}, ValueError, "min_count `0`: at least 1"),
        ({"min_count": -3}, ValueError, "min_count `-3`"),
        ({"max_token_length": 0}, ValueError, "max_token_length `0`: at least 1 byte"),
        ({"threads": 0}, ValueError, "threads `0`: at least 1"),
        ({"errors": "ignore"}, ValueError, "errors `ignore`"),
        ({"pattern": "gpt22"}, PatternError, "no pattern is named `gpt22`"),
        ({"pattern": "("}, PatternError, r"the pattern `\(` does not compile"),
        ({"pattern": ""}, PatternError, "the pattern is the empty text"),
        ({"pattern": 7}, TypeError, "a pattern is a name, a regular expression or a tuple"),
        ({"special_tokens": "<s>"}, TypeError, "not the one text `<s>`"),
        ({"special_tokens": [b"<s>"]}, TypeError, "a special token is a `str`"),
        ({"special_tokens": ["<s>", "<s>"]}, SpecialTokenError, "`<s>` is given twice"),
        ({"special_tokens": [""]}, SpecialTokenError, "empty text"),
    ],
)
def test_options_that_make_no_sense(options: Any, kind: type[Exception], named: str) -> None:
    with pytest.raises(kind, match=named):
        bytepair.train(["abab"], 300, **options)


# ------------------------------------------------------------------ the same every time


def test_twenty_runs_in_any_order_on_any_threads() -> None:
    texts = [
        text_path("corpus.en").read_text(encoding="utf-8")[at : at + 3_000]
        for at in range(0, 60_000, 3_000)
    ]
    dice = random.Random(0)
    prints = set()
    for run in range(20):
        dice.shuffle(texts)
        prints.add(train(texts, 700, threads=run % 4 + 1, ties=TIES[0]).fingerprint)
    assert len(prints) == 1
    in_order = {train(sorted(texts), 500, threads=n, ties="first").fingerprint for n in (1, 2, 4)}
    assert len(in_order) == 1


# ------------------------------------------------------------------ progress


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    path = tmp_path / "text.txt"
    path.write_text("".join(CORPUS) * 50, encoding="utf-8")
    tok = train(files(path), 400, progress=lambda *args: told.append(args))
    phases = [phase for phase, _, _ in told]
    assert set(phases) == {"read", "merge"}
    assert phases == sorted(phases, key=["read", "merge"].index)
    size = path.stat().st_size
    assert ("read", size, size) in told
    assert told[-1] == ("merge", len(tok.merges), len(tok.merges))
    for phase in ("read", "merge"):
        done = [done for name, done, _ in told if name == phase]
        assert done == sorted(done)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, ZeroDivisionError, SystemExit])
@pytest.mark.parametrize("phase", ["read", "merge"])
def test_an_exception_from_progress_stops_cleanly(kind: type[BaseException], phase: str) -> None:
    def stop(now: str, done: int, total: int | None) -> None:
        if now == phase:
            raise kind("enough")

    with pytest.raises(kind, match="enough"):
        bytepair.train(CORPUS, 400, progress=stop)
    with pytest.raises(kind, match="enough"):
        bytepair.train(files(text_path("corpus.en")), 400, progress=stop, threads=2)
    assert threading.active_count() < 50
    assert train(CORPUS, 400) == train(CORPUS, 400)


def test_errors_of_the_iterable_come_through() -> None:
    def texts() -> Iterator[str]:
        yield "abab"
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        bytepair.train(texts(), 300)


def test_progress_draws_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    tok = train(CORPUS, 400, progress=True)
    assert tok == train(CORPUS, 400)
    assert capsys.readouterr().out == ""
