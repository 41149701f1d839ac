"""Every golden figure that the reference can produce, by its name in seed_facts.json."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bytepair.reference import (
    BasicTokenizer,
    PatternTokenizer,
    count_pretokens,
    get_stats,
    merge,
    split,
)
from bytepair.reference.bpe import PRINTABLE

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return json.loads((GOLDEN / "seed_facts.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def corpus() -> bytes:
    return (files("bytepair") / "texts" / "corpus.en").read_bytes()


def test_utf(facts: dict[str, Any]) -> None:
    fact = facts["utf"]
    text = fact["text"]
    assert len(text) == fact["characters"]
    assert list(map(ord, text)) == fact["codepoints"]
    tokenizer = BasicTokenizer()
    assert len(tokenizer.encode(text)) == fact["utf8_bytes"]
    assert tokenizer.encode("世") == fact["utf8_of_世"]
    assert tokenizer.encode("🌍") == fact["utf8_of_🌍"]
    assert len(text.encode("utf-16")) == fact["utf16_bytes_with_bom"]
    assert len(text.encode("utf-32")) == fact["utf32_bytes_with_bom"]


def test_train_one_text(facts: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    fact = facts["train_one_text"]
    assert len(fact["text"]) == fact["start_length"]
    tokenizer = BasicTokenizer()
    tokenizer.train(fact["text"], 256 + fact["merges"], verbose=True, ties=fact["ties"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(fact["steps"]) == len(tokenizer.merges)
    for line, (pair, number), step in zip(
        lines, tokenizer.merges.items(), fact["steps"], strict=True
    ):
        left, right = step["pair"]
        assert [tokenizer.vocab[part].decode() for part in pair] == [left, right]
        assert (number, tokenizer.vocab[number].decode()) == (step["id"], step["token"])
        expected = f"{number}: {left!r} + {right!r}, {step['count']} times, {step['length']} ids"
        assert line == f"{expected} left"


def test_encode_after_train_one_text(
    facts: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    fact = facts["train_one_text"]
    tokenizer = BasicTokenizer()
    tokenizer.train(fact["text"], 256 + fact["merges"], ties=fact["ties"])
    ids = tokenizer.encode(fact["encode"]["text"], verbose=True)
    assert ids == fact["encode"]["ids"]
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(" becomes ")[1].split(":")[0] for line in printed] == [
        str(step["id"]) for step in fact["steps"]
    ]
    assert printed[-1].endswith(str(ids))
    assert tokenizer.decode(ids) == fact["encode"]["text"]


def test_pretokenize_gpt2(facts: dict[str, Any]) -> None:
    fact = facts["pretokenize_gpt2"]
    assert [piece.decode() for piece in split("gpt2", fact["text"].encode())] == fact["pretokens"]


def test_train_corpus_en_counts(facts: dict[str, Any], corpus: bytes) -> None:
    fact = facts["train_corpus_en"]
    assert len(corpus) == fact["bytes"]
    words = count_pretokens([corpus], fact["pattern"])
    assert sum(words.values()) == fact["pretokens"]
    assert len(words) == fact["unique_pretokens"]


@pytest.mark.parametrize("merges", [500, 2000])
def test_train_corpus_en(facts: dict[str, Any], corpus: bytes, merges: int) -> None:
    fact = facts["train_corpus_en"]
    expected = fact[f"{merges}_merges"]
    tokenizer = PatternTokenizer.train([corpus], 256 + merges, ties=fact["ties"])
    first_ten = [(left + right).decode() for left, right in tokenizer.merges[:10]]
    assert first_ten == fact["first_ten_tokens"]
    ids = tokenizer.encode(corpus)
    assert len(ids) == expected["tokens"]
    assert round(len(corpus) / len(ids), 2) == expected["bytes_per_token"]
    by_length = sorted(tokenizer.vocab.items(), key=lambda item: (len(item[1]), item[0]))
    assert [token.decode() for _, token in by_length[-5:]] == expected["longest"]
    assert tokenizer.decode_bytes(ids) == corpus


def byte_alphabet() -> dict[str, int]:
    """GPT-2's printable characters, back to bytes."""
    others = [byte for byte in range(256) if byte not in PRINTABLE]
    return {chr(byte): byte for byte in PRINTABLE} | {
        chr(256 + place): byte for place, byte in enumerate(others)
    }


def test_train_corpus_en_reference(facts: dict[str, Any], corpus: bytes) -> None:
    fact = facts["train_corpus_en_reference"]
    alphabet = byte_alphabet()

    def to_bytes(shown: str) -> bytes:
        return bytes(alphabet[character] for character in shown)

    lines = (GOLDEN / fact["merges_file"]).read_text(encoding="utf-8").splitlines()
    merges = [tuple(map(to_bytes, line.split(" "))) for line in lines]
    vocab = json.loads((GOLDEN / fact["vocab_file"]).read_text(encoding="utf-8"))
    tokenizer = PatternTokenizer.train(
        [corpus],
        fact["vocab_size"],
        special_tokens=fact["special_tokens"],
        pattern=fact["pattern"],
        ties=fact["ties"],
        special_first=True,
    )
    assert tokenizer.merges == merges
    assert tokenizer.special_tokens == {
        special: vocab.pop(special) for special in ["<|endoftext|>"]
    }
    assert set(tokenizer.vocab.values()) == set(map(to_bytes, vocab))
    assert len(tokenizer.vocab) + 1 == fact["vocab_size"]


def test_vocab_size_account(facts: dict[str, Any]) -> None:
    fact = facts["vocab_size_account"]
    asked: list[int] = []

    def note(_: object, merge_count: int, *options: object) -> Any:
        asked.append(merge_count)
        return {}, {number: bytes([number]) for number in range(256)}

    with pytest.warns(UserWarning, match="training stopped at 257 of 10000 tokens"):
        PatternTokenizer.train(
            ["text"], fact["vocab_size"], special_tokens=["<|endoftext|>"], method=note
        )
    assert asked == [fact["merges"]]


def word_bpe(
    words: dict[str, int], end: str, merges: int, prefer: Callable[[dict[str, int]], Any]
) -> list[list[object]]:
    """BPE over words with an end mark through the reference's loops; `prefer` breaks ties."""
    spelled = {word: [*word, end] for word in words}
    order = {symbol: n for n, symbol in enumerate([*sorted(set("".join(words))), end])}
    found: list[list[object]] = []
    for _ in range(merges):
        counts: dict[tuple[str, str], int] = {}
        for word, symbols in spelled.items():
            for pair, times in get_stats(symbols).items():
                counts[pair] = counts.get(pair, 0) + times * words[word]
        best = max(counts.values())
        left, right = prefer(order)([pair for pair in counts if counts[pair] == best])
        found.append([left, right, best])
        order[left + right] = len(order)
        spelled = {
            word: merge(symbols, (left, right), left + right) for word, symbols in spelled.items()
        }
    return found


def test_end_of_word_bpe(facts: dict[str, Any]) -> None:
    fact = facts["end_of_word_bpe"]

    def smallest(order: dict[str, int]) -> Any:
        return lambda tied: min(tied, key=lambda pair: (order[pair[0]], order[pair[1]]))

    merges = word_bpe(fact["words"], fact["end_of_word"], len(fact["merges"]), smallest)
    assert merges == fact["merges"]


def test_end_of_word_bpe_first(facts: dict[str, Any]) -> None:
    fact = facts["end_of_word_bpe"]
    merges = word_bpe(fact["words"], fact["end_of_word"], 4, lambda _: lambda tied: tied[0])
    assert merges[2:] == [["n", "e", 6], ["ne", "w</w>", 6]]


def test_first_seen_bpe(facts: dict[str, Any]) -> None:
    fact = facts["first_seen_bpe"]
    basic = BasicTokenizer()
    basic.train(fact["text"], fact["vocab_size"], ties=fact["ties"])
    found = [
        [left, right, number, basic.vocab[number].decode()]
        for (left, right), number in basic.merges.items()
    ]
    assert found[: len(fact["first_merges"])] == fact["first_merges"]
    for place, merged in fact["later_merges"].items():
        assert found[int(place) - 1] == merged
    assert basic.encode(fact["encode"]["text"]) == fact["encode"]["ids"]
    whole = PatternTokenizer.train(
        [fact["text"]], fact["vocab_size"], pattern=fact["pattern"], ties=fact["ties"]
    )
    assert whole.vocab == basic.vocab


def test_character_bpe_zh(facts: dict[str, Any]) -> None:
    fact = facts["character_bpe_zh"]
    vocab = sorted(set("".join(fact["texts"])))
    assert len(vocab) == fact["initial_vocab"]
    texts = [list(text) for text in fact["texts"]]
    for left, right, count, token, size in fact["merges"]:
        counts: dict[tuple[str, str], int] = {}
        for symbols in texts:
            get_stats(symbols, counts)
        pair = max(counts, key=lambda pair: counts[pair])
        assert (pair, counts[pair]) == ((left, right), count)
        vocab.append(left + right)
        assert (vocab[-1], len(vocab)) == (token, size)
        texts = [merge(symbols, pair, token) for symbols in texts]
