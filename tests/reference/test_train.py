"""Training: two methods, one answer, whatever the ties, the processes and the limits."""

from __future__ import annotations

import re
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer

from bytepair.reference import (
    BasicTokenizer,
    PatternTokenizer,
    count_pretokens,
    incremental,
    recount,
    train,
)
from bytepair.reference.bpe import PRINTABLE, TIES

# Few different letters make many ties.
TEXTS = st.lists(
    st.one_of(
        st.text("ab \n", max_size=30),
        st.text("abcé中 '1", max_size=20),
        st.binary(max_size=10),
    ),
    max_size=5,
)


def trained(texts: list[Any], vocab_size: int, **options: Any) -> PatternTokenizer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return PatternTokenizer.train(texts, vocab_size, **options)


@pytest.mark.parametrize("ties", TIES)
@given(
    texts=TEXTS,
    pattern=st.sampled_from(["gpt2", None]),
    min_count=st.integers(0, 4),
    limit=st.sampled_from([None, 2, 3, 5]),
)
def test_incremental_is_recount(
    ties: str, texts: list[str | bytes], pattern: str | None, min_count: int, limit: int | None
) -> None:
    words = count_pretokens(texts, pattern)
    expected = recount(words, 30, ties, min_count, limit)
    assert incremental(words, 30, ties, min_count, limit) == expected


@pytest.mark.parametrize("ties", TIES)
@given(text=st.text("ab é", min_size=1, max_size=40))
def test_one_text_is_one_pretoken(ties: str, text: str) -> None:
    basic = BasicTokenizer()
    basic.train(text, 276, ties=ties)
    whole = trained([text], 276, pattern=None, ties=ties)
    assert whole.vocab == basic.vocab
    assert whole.encode(text) == basic.encode(text)


def byte_of(character: str) -> int:
    others = [byte for byte in range(256) if byte not in PRINTABLE]
    return ord(character) if ord(character) in PRINTABLE else others[ord(character) - 256]


@given(st.lists(st.text("abcé中 '1\n", max_size=30), min_size=1, max_size=4))
def test_huggingface_ties_are_hugging_faces(texts: list[str]) -> None:
    judge = Tokenizer(BPE())
    judge.pre_tokenizer = ByteLevel(add_prefix_space=False)
    alphabet = ByteLevel.alphabet()
    judge.train_from_iterator(
        texts, BpeTrainer(vocab_size=280, initial_alphabet=alphabet, show_progress=False)
    )
    vocab = {number: bytes(map(byte_of, token)) for token, number in judge.get_vocab().items()}
    ours = trained(texts, 280, ties="huggingface")
    merged = [left + right for left, right in ours.merges]
    assert [vocab[number] for number in sorted(vocab)][256:] == merged


@pytest.mark.parametrize("processes", [1, 2])
def test_batches_and_processes_change_nothing(
    processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str | bytes] = [
        "one two<|end|>three one",
        b"\xff two<|end|><|end|>four\n",
        "five <|e one",
    ]
    expected = count_pretokens(texts, "gpt2", ("<|end|>",))
    assert expected[b" two"] == 2
    monkeypatch.setattr(train, "BATCH_BYTES", 1)
    counts = count_pretokens(texts, "gpt2", ("<|end|>",), processes)
    assert list(counts.items()) == list(expected.items())


def test_no_merge_holds_a_special_token() -> None:
    texts = ["<|end|>" * 50 + "ab " * 5]
    tokenizer = trained(texts, 300, special_tokens=["<|end|>"])
    assert all(b"|" not in left + right for left, right in tokenizer.merges)
    assert tokenizer.encode(texts[0], "all")[:50] == [tokenizer.special_tokens["<|end|>"]] * 50


def test_numbering() -> None:
    texts = ["aaab aaab"]
    last = PatternTokenizer.train(texts, 260, special_tokens=["<1>", "<2>"])
    assert last.special_tokens == {"<1>": 258, "<2>": 259}
    assert [last.vocab[n] for n in (0, 97, 255)] == [b"\0", b"a", b"\xff"]
    assert [last.vocab[n] for n in (256, 257)] == [left + right for left, right in last.merges]
    first = PatternTokenizer.train(texts, 260, special_tokens=["<1>", "<2>"], special_first=True)
    assert first.special_tokens == {"<1>": 0, "<2>": 1}
    assert first.vocab == {number + 2: token for number, token in last.vocab.items()}
    assert first.merges == last.merges


def test_stopping_early_warns_and_leaves_no_hole() -> None:
    with pytest.warns(UserWarning, match="stopped at 258 of 300 tokens: no pair is left"):
        tokenizer = PatternTokenizer.train(["ab"], 300, special_tokens=["<1>"])
    assert tokenizer.special_tokens == {"<1>": 257}
    with pytest.warns(UserWarning, match="at least 3 times"):
        assert PatternTokenizer.train(["ab ab"], 257, min_count=3).merges == []


def test_max_token_length_takes_the_next_best() -> None:
    tokenizer = trained(["abcabcabc xyxy"], 400, max_token_length=2, pattern=None)
    lengths = {len(token) for token in tokenizer.vocab.values()}
    assert lengths == {1, 2}
    assert (b"x", b"y") in tokenizer.merges


def test_first_depends_on_the_order_of_texts_and_the_others_do_not() -> None:
    texts = ["ca ac zx xz", "xz zx ac ca"]
    for ties in TIES:
        ahead = trained(texts, 264, ties=ties).merges
        behind = trained(texts[::-1], 264, ties=ties).merges
        assert (ahead == behind) == (ties != "first")


@pytest.mark.parametrize(
    ("texts", "options", "named"),
    [
        (["a"], {"vocab_size": 255}, "`vocab_size` is `255`; bytes and special tokens: 256"),
        (["a"], {"vocab_size": 256, "special_tokens": ["<1>"]}, "special tokens: 257"),
        (["a"], {"vocab_size": 300, "special_tokens": ["<1>", "<1>"]}, "given twice"),
        (["a"], {"vocab_size": 300, "ties": "random"}, "unknown tie rule `random`"),
        ("a text", {"vocab_size": 300}, "pass a list of texts"),
        (["a"], {"vocab_size": 300, "pattern": "gpt-2"}, "unknown pattern `gpt-2`"),
    ],
)
def test_wrong_options(texts: Any, options: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=re.escape(named)):
        PatternTokenizer.train(texts, **options)


def test_basic_tokenizer_refuses_what_it_cannot_do() -> None:
    tokenizer = BasicTokenizer()
    with pytest.raises(ValueError, match="the 256 bytes alone need 256"):
        tokenizer.train("text", 255)
    with pytest.raises(ValueError, match="unknown tie rule `none`"):
        tokenizer.train("text", 257, ties="none")
    with pytest.raises(ValueError, match=re.escape("no token has the id `256` (at position 1)")):
        tokenizer.decode([97, 256])


def test_basic_training_starts_anew_and_stops_when_nothing_is_left() -> None:
    tokenizer = BasicTokenizer()
    tokenizer.train("abab", 300)
    assert list(tokenizer.vocab.values())[256:] == [b"ab", b"abab"]
    tokenizer.train("xx", 300)
    assert list(tokenizer.vocab.values())[256:] == [b"xx"]
    assert tokenizer.encode("") == []
