"""Counts of pretokens: they add up, carry their recipe, and travel between processes."""

from __future__ import annotations

import multiprocessing
import pickle
import warnings
from typing import Any

import pytest
from hard_texts import CORPUS, SPECIAL_TOKENS

import bytepair
from bytepair import Counts, Tokenizer, TrainingWarning, count_pretokens


def train(source: Any, vocab_size: int, **options: Any) -> Tokenizer:
    """Without the warning that it ended early."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)
        return bytepair.train(source, vocab_size, **options)


def test_counts_add_up() -> None:
    left, right = count_pretokens(CORPUS[:2]), count_pretokens(CORPUS[2:])
    whole = count_pretokens(CORPUS)
    assert left + right == whole == right + left
    assert (left + right).items() == whole.items()
    assert (left + right).total == left.total + right.total == sum(n for _, n in whole.items())
    assert whole.text_bytes == sum(len(text.encode()) for text in CORPUS)
    assert len(whole) == len(list(whole)) == len(dict(whole.items()))
    assert left[b" the"] + right[b" the"] == whole[b" the"] > 0
    assert whole[b"absent"] == 0
    assert train(left + right, 400) == train(CORPUS, 400)
    with pytest.raises(TypeError):
        left + {b"a": 1}  # type: ignore[operator]


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (("o200k", []), "counts made with the pattern"),
        (("gpt2", ["<s>"]), "counts made with the special tokens"),
        ((None, []), "counts made with the pattern"),
    ],
)
def test_counts_made_otherwise_are_an_error(other: Any, named: str) -> None:
    counts = count_pretokens(["ab"])
    with pytest.raises(ValueError, match=named):
        counts + count_pretokens(["ab"], *other)
    with pytest.raises(ValueError, match=named):
        bytepair.train(counts, 300, pattern=other[0], special_tokens=other[1])


def test_counts_carry_their_pattern_and_special_tokens() -> None:
    counts = count_pretokens(CORPUS, "o200k", SPECIAL_TOKENS)
    assert counts.special_tokens == tuple(SPECIAL_TOKENS)
    expected = train(CORPUS, 400, pattern="o200k", special_tokens=SPECIAL_TOKENS)
    assert train(counts, 400) == expected
    assert train(counts, 400, pattern="o200k", special_tokens=SPECIAL_TOKENS) == expected
    with pytest.raises(TypeError, match="these are counts already"):
        count_pretokens(counts)


def test_counts_can_be_pickled() -> None:
    counts = count_pretokens([*CORPUS, b"\xff"], ("gpt2", r"\d"), SPECIAL_TOKENS)
    again = pickle.loads(pickle.dumps(counts))
    assert again == counts
    assert again.items() == counts.items()
    assert (again.pattern, again.special_tokens) == (counts.pattern, counts.special_tokens)
    assert again + counts == counts + again
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map(count_pretokens, [[text] for text in CORPUS])
    assert sum(parts[1:], parts[0]) == count_pretokens(CORPUS)


def test_empty_counts() -> None:
    counts = Counts("gpt2", ["<s>"])
    assert (len(counts), counts.total, counts.items()) == (0, 0, [])
    assert counts + count_pretokens(["ab"], "gpt2", ["<s>"]) == count_pretokens(
        ["ab"], "gpt2", ["<s>"]
    )
    assert "0 different pretokens" in repr(counts)
