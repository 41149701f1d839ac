"""The three ways of merging give the same, and subword-nmt's segmentation."""

from __future__ import annotations

import io
import math
import random
import time
from collections import Counter

import pytest
from effort import effort
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt import apply_bpe

from bytepair.classic import CharBPETokenizer
from bytepair.classic.charbpe_merging import by_heap, by_scan, in_place, merge_symbols

PARTS = st.sampled_from(["a", "b", "c", "aa", "ab", "ba", "abc", "bc", "aab", "</w>", "c</w>"])
# Merges in any order, as a file may have them: also those that make what an earlier one needs.
RANKS = st.lists(st.tuples(PARTS, PARTS), max_size=14, unique=True).map(
    lambda pairs: {pair: rank for rank, pair in enumerate(pairs)}
)
WORDS = st.one_of(
    st.text("abc", min_size=1, max_size=30),
    st.builds(lambda part, times: part * times, st.sampled_from(["a", "ab", "aab"]), st.just(20)),
)


@settings(max_examples=effort(300))
@given(WORDS, RANKS)
def test_three_ways_give_the_same(word, ranks):
    expected = by_scan(word, ranks)
    assert in_place(word, ranks) == expected
    assert by_heap(word, ranks) == expected
    assert merge_symbols(word, ranks) == expected
    assert "".join(expected) == word


def test_all_occurrences_come_before_what_they_make():
    # Merging the first (ab,c) alone would make (abc,ab), which ranks before it.
    ranks = {("a", "b"): 0, ("abc", "ab"): 1, ("ab", "c"): 2}
    for merge in (by_scan, in_place, by_heap):
        assert merge("abcabc", ranks) == ["abc", "abc"]


def test_without_symbols_or_merges():
    for merge in (by_scan, in_place, by_heap, merge_symbols):
        assert merge("", {("a", "b"): 0}) == []
        assert merge("a", {("a", "b"): 0}) == ["a"]
        assert merge("abc", {}) == ["a", "b", "c"]


def test_a_long_word_takes_no_quadratic_time():
    ranks = {("a", "b"): 0, ("ab", "ab"): 1, ("abab", "abab"): 2, ("c", "abab"): 3}
    letters = random.Random(4).choices("abc", k=200_000)
    started = time.process_time()
    merged = merge_symbols(letters, ranks)
    assert time.process_time() - started < 20  # a second; by_scan would need an hour
    assert "".join(merged) == "".join(letters) and len(merged) < len(letters)


# ------------------------------------------------------------------ dropout


def judge(tok: CharBPETokenizer, tmp_path) -> apply_bpe.BPE:
    tok.save(tmp_path / "codes.txt")
    return apply_bpe.BPE(io.StringIO((tmp_path / "codes.txt").read_text("utf-8")))


@pytest.fixture(scope="module")
def words() -> dict[str, int]:
    return {"lower": 7, "lowest": 5, "newest": 6, "widest": 3, "banana": 4, "ananas": 2}


@pytest.mark.parametrize("glued", [False, True])
@pytest.mark.parametrize("dropout", [0.1, 0.5, 0.9, 1.0])
def test_a_seed_throws_as_the_original_does(words, tmp_path, glued, dropout):
    tok = CharBPETokenizer.train(words, merges=18, glued=glued)
    theirs = judge(tok, tmp_path)
    line = " ".join([*words, "a", "bananabanana", "x", "wider"] * 20)
    random.seed(11)
    expected = theirs.segment(line, dropout)
    assert tok.segment(line, dropout=dropout, seed=11) == expected
    # A generator goes on from line to line.
    again = random.Random(11)
    parts = [tok.segment(word, dropout=dropout, seed=again) for word in line.split()]
    assert " ".join(parts) == expected


def test_dropout_of_nothing_and_of_everything(words):
    tok = CharBPETokenizer.train(words, merges=20)
    text = "lowest banana w"
    assert tok.encode(text, dropout=0.0, seed=1) == tok.encode(text)
    assert tok.tokens(text, dropout=1.0) == [*"lowest", "</w>", *"banana", "</w>", "w", "</w>"]
    for seed in range(20):
        ids = tok.encode(text, dropout=0.5, seed=seed)
        assert ids == tok.encode(text, dropout=0.5, seed=seed)
        assert tok.decode(ids) == text
    seen = {tok.segment(text, dropout=0.5, seed=seed) for seed in range(50)}
    assert len(seen) > 10 and tok.segment(text) == tok.segment(text, dropout=0)


def test_seeds_of_their_own_differ(words):
    tok = CharBPETokenizer.train(words, merges=20)
    assert len({tok.segment("lowest banana newest", dropout=0.5) for _ in range(50)}) > 10


@pytest.mark.parametrize("dropout", [-0.1, 1.01, math.nan])
def test_dropout_is_a_probability(words, dropout):
    tok = CharBPETokenizer.train(words, merges=5)
    for call in (tok.tokens, tok.segment, tok.encode):
        with pytest.raises(ValueError, match=r"dropout `.*`: from 0 to 1"):
            call("low", dropout=dropout)


def test_the_heap_throws_with_the_same_distribution():
    """Chi-squared of two samples: words of repeated pairs, where all places of a pair count."""
    ranks = {("a", "b"): 0, ("b", "a"): 1, ("ab", "ab"): 2, ("ab", "a"): 3, ("a", "a"): 4}
    throws = effort(20_000)
    for word, dropout in (("ababa", 0.3), ("aabab", 0.5), ("aaa", 0.5), ("abab", 0.1)):
        dice = random.Random(f"{word} {dropout}")
        one, other = (
            Counter(tuple(merge(word, ranks, dropout, dice.random)) for _ in range(throws))
            for merge in (by_scan, by_heap)
        )
        common = [key for key in one | other if one[key] + other[key] >= 20]
        chi = sum((one[key] - other[key]) ** 2 / (one[key] + other[key]) for key in common)
        freedom = len(common) - 1
        # Five standard deviations above the mean; the dice are fixed, so it fails or it does not.
        assert freedom >= 2 and chi < freedom + 5 * math.sqrt(2 * freedom), (word, chi, freedom)
