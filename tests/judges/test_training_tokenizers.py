"""Merges equal to those of Hugging Face's trainer with `ties="huggingface"`, and its own ways.

The trainer gets its texts from an iterator, the whole byte alphabet, and no special tokens: where
it does otherwise by itself, a test below says what it does (docs/reference/judges.md).
"""

from __future__ import annotations

import functools
import json
import lzma
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from effort import effort
from hard_alphabets import pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from outside_judges import shared_file
from tally import judging
from tokenizers import Regex, Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Split
from tokenizers.trainers import BpeTrainer

import bytepair
from bytepair.pattern import named_patterns
from bytepair.reference.bpe import PRINTABLE

Merges = list[tuple[bytes, bytes]]

OTHERS = [byte for byte in range(256) if byte not in PRINTABLE]
BYTE_OF = {chr(byte): byte for byte in PRINTABLE} | {chr(256 + n): b for n, b in enumerate(OTHERS)}
CORPORA = ["english", "chinese", "code", "multilingual", "scripts"]


@functools.cache
def saved(pattern: str | None) -> str:
    """A `tokenizer.json` with the pattern in the words of tokenizers' engine."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tokenizer.json")
        bytepair.Tokenizer.from_merges([], pattern=pattern).save(path)
        return path.read_text(encoding="utf-8")


def untrained(pattern: str | None = "gpt2") -> Tokenizer:
    judge = Tokenizer(BPE())
    judge.pre_tokenizer = Tokenizer.from_str(saved(pattern)).pre_tokenizer
    return judge


def trainer(vocab_size: int, **options: Any) -> BpeTrainer:
    alphabet = {"initial_alphabet": ByteLevel.alphabet()}
    return BpeTrainer(vocab_size=vocab_size, show_progress=False, **(alphabet | options))


def merges_of(judge: Tokenizer) -> Merges:
    merges = json.loads(judge.to_str())["model"]["merges"]
    return [(spelled(left), spelled(right)) for left, right in merges]


def spelled(token: str) -> bytes:
    return bytes(BYTE_OF[character] for character in token)


def theirs(
    texts: Sequence[str], vocab_size: int, pattern: str | None = "gpt2", **options: Any
) -> Merges:
    judge = untrained(pattern)
    judge.train_from_iterator(texts, trainer(vocab_size, **options))
    return merges_of(judge)


def ours(texts: Sequence[str], vocab_size: int, **options: Any) -> Merges:
    with warnings.catch_warnings():  # small corpora have few pairs
        warnings.simplefilter("ignore")
        return bytepair.train(texts, vocab_size, ties="huggingface", **options).merges


# ------------------------------------------------------------------ the same merges

TEXTS = st.lists(
    st.one_of(
        *[
            st.text(letters, max_size=40)
            for letters in ("a", "ab", "ab \n", "aé中文 ", "abcdefgh ")
        ],
        st.text("ab", max_size=12).map(lambda text: (text + " ") * 3),
        st.lists(pieces(), max_size=10).map("".join),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("pattern", [*named_patterns(), None])
def test_small_corpora(pattern):
    @settings(max_examples=effort(30, most=500))
    @given(TEXTS, st.integers(256, 340), st.sampled_from([1, 2, 4]))
    def run(texts, size, min_count):
        expected = theirs(texts, size, pattern, min_frequency=min_count)
        assert ours(texts, size, pattern=pattern, min_count=min_count) == expected
        tally.add(texts)

    with judging(f"training with the pattern {pattern}", "tokenizers", "small corpora") as tally:
        run()


def lines_of(path: Path, characters: int) -> list[str]:
    """The first lines of a corpus, up to so many characters."""
    with lzma.open(path, "rt", encoding="utf-8", newline="") as text:
        return text.read(characters).splitlines(keepends=True)


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("pattern", ["gpt2", "cl100k"])
def test_corpora(pattern, corpus, shared, tmp_path):
    texts = lines_of(
        shared_file(shared, f"corpora/{corpus}.txt.xz"), effort(100_000, most=3_000_000)
    )
    size = effort(1_000, most=8_000)
    with judging(f"training with the pattern {pattern}", "tokenizers", "corpora") as tally:
        expected = theirs(texts, size, pattern)
        files = set()
        for threads in (1, 2, 4):
            tok = bytepair.train(texts, size, pattern=pattern, ties="huggingface", threads=threads)
            assert tok.merges == expected
            tok.save(tmp_path / "tokenizer.json")
            files.add((tmp_path / "tokenizer.json").read_bytes())
        assert len(files) == 1
        tally.add(texts)


# ------------------------------------------------------------------ its own ways

OWN_WAYS = settings(max_examples=effort(50, most=300))


@OWN_WAYS
@given(st.lists(st.text("abcde", max_size=30), min_size=1, max_size=6), st.integers(2, 6))
def test_max_token_length_is_one_less_in_tokenizers(texts, length):
    """A token that grows out of a merge must be shorter than it, not as long at most."""
    expected = theirs(texts, 320, None, max_token_length=length + 1)
    assert ours(texts, 320, pattern=None, max_token_length=length) == expected


def test_max_token_length_of_tokenizers_counts_the_bytes_of_its_alphabet():
    """It writes a blank as U+0120, which is two bytes, and never looks at tokens of two."""
    texts = ["x aab x aab"]
    assert (b" a", b"a") not in theirs(texts, 300, max_token_length=4)
    assert max(len(a + b) for a, b in theirs(texts, 300, max_token_length=1)) == 2
    assert max(len(a + b) for a, b in ours(texts, 300, max_token_length=4)) == 4


def test_special_tokens_leak_into_the_words_of_tokenizers():
    texts = ["a<|end|>b<|end|>c<|end|>"]
    options = {"special_tokens": ["<|end|>"]}
    assert (b"en", b"d") in theirs(texts, 300, **options) or (b"e", b"nd") in theirs(
        texts, 300, **options
    )
    assert ours(texts, 300, **options, special_first=True) == []


def test_tokenizers_reads_files_line_by_line(tmp_path):
    path: Path = tmp_path / "corpus.txt"
    path.write_text("a\n\n\nb\n\n\nc", encoding="utf-8", newline="")
    judge = untrained()
    judge.train([str(path)], trainer(300))
    text = path.read_text(encoding="utf-8")
    assert (b"\n", b"\n") not in merges_of(judge)
    assert (b"\n", b"\n") in theirs([text], 300)
    assert ours(text.splitlines(keepends=True), 300) == merges_of(judge)
    assert ours([text], 300) == theirs([text], 300)


@OWN_WAYS
@given(TEXTS)
def test_without_an_alphabet_tokenizers_numbers_what_it_has_seen(texts):
    """The order among equals stays the same, so the merges do, as many as fit."""
    judge = untrained()
    judge.train_from_iterator(texts, trainer(300, initial_alphabet=[]))
    seen = judge.get_vocab_size() - len(merges_of(judge))
    assert seen <= 256
    assert ours(texts, 256 + 300 - seen) == merges_of(judge)


def test_a_limited_alphabet_loses_bytes_in_tokenizers():
    judge = untrained()
    judge.train_from_iterator(["aaabbc"], trainer(300, initial_alphabet=[], limit_alphabet=2))
    assert judge.encode("abc").ids == judge.encode("ab").ids


def test_a_vocabulary_below_the_bytes_is_no_error_in_tokenizers():
    judge = untrained()
    judge.train_from_iterator(["ab ab"], trainer(100))
    assert judge.get_vocab_size() == 256
    with pytest.raises(ValueError, match="`100`"):
        bytepair.train(["ab ab"], 100)


def test_a_counted_possessive_repeat_is_a_repeated_one_in_tokenizers():
    """Its engine reads `{1,3}+` as `(?:…{1,3})+`, so tiktoken's cl100k means something else."""
    pattern = r"\p{N}{1,3}+"
    split = Split(Regex(pattern), "isolated")
    assert split.pre_tokenize_str("12345") == [("12345", (0, 5))]
    tok = bytepair.Tokenizer.from_merges([], pattern=pattern)
    assert tok.pretokens("12345") == [b"123", b"45"]


def test_min_frequency_of_zero_is_one_in_tokenizers():
    assert theirs(["ab cd"], 300, min_frequency=0) == theirs(["ab cd"], 300, min_frequency=1)


def test_a_special_token_of_one_letter_is_that_letter_in_tokenizers():
    judge = untrained()
    judge.train_from_iterator(["aaa"], trainer(300, special_tokens=["a"]))
    tok = bytepair.train(["aaa b"], 258, special_tokens=["a"])
    assert judge.token_to_id("a") == 0
    assert judge.get_vocab_size() == 256 + len(merges_of(judge))
    assert (tok.vocab[ord("a")], tok.special_tokens["a"]) == (b"a", 257)
