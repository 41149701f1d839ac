"""Every golden figure that can be had without a real model's vocabulary, by its name in
seed_facts.json; those of real models are in `vocabs/test_golden.py`."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import bytepair
from bytepair import Tokenizer
from bytepair.texts import path

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return json.loads((GOLDEN / "seed_facts.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def corpus() -> bytes:
    return path("corpus.en").read_bytes()


def parts(merges: list[tuple[bytes, bytes]]) -> list[list[str]]:
    return [[left.decode(), right.decode()] for left, right in merges]


def test_every_fact_has_its_test(facts: dict[str, Any]) -> None:
    """Here, or among the tests of the bundled vocabularies and of the reference."""
    tests = [Path(__file__), *Path(__file__).parent.rglob("test_facts.py")]
    tests += (Path(__file__).parent / "vocabs").glob("test_*.py")
    text = "".join(test.read_text(encoding="utf-8") for test in tests)
    names = [name for name in facts if not name.endswith("note")]
    assert [name for name in names if f'"{name}"' not in text] == []


# ------------------------------------------------------------------ text


def test_utf(facts: dict[str, Any]) -> None:
    fact = facts["utf"]
    tok, text = Tokenizer.from_merges([], pattern=None), fact["text"]
    assert len(text) == fact["characters"]
    assert [ord(character) for character in text] == fact["codepoints"]
    assert tok.count(text) == len(tok.encode(text)) == fact["utf8_bytes"]
    assert tok.encode("世") == fact["utf8_of_世"]
    assert tok.encode("🌍") == fact["utf8_of_🌍"]
    assert tok.count(text.encode("utf-16")) == fact["utf16_bytes_with_bom"]
    assert tok.count(text.encode("utf-32")) == fact["utf32_bytes_with_bom"]
    assert tok.decode(tok.encode(text)) == text


def test_pretokenize_gpt2(facts: dict[str, Any]) -> None:
    fact = facts["pretokenize_gpt2"]
    tok = Tokenizer.from_merges([], pattern="gpt2")
    assert [piece.decode() for piece in tok.pretokens(fact["text"])] == fact["pretokens"]


# ------------------------------------------------------------------ small trainings


def test_train_one_text(facts: dict[str, Any]) -> None:
    fact = facts["train_one_text"]
    text, steps = fact["text"], fact["steps"]
    tok = bytepair.train([text], 256 + fact["merges"], pattern=fact["pattern"], ties=fact["ties"])
    assert parts(tok.merges) == [step["pair"] for step in steps]
    length = fact["start_length"]
    assert tok.truncated(256).count(text) == length
    for number, step in enumerate(steps, 1):
        assert tok.token_id(step["token"]) == step["id"]
        before, length = length, tok.truncated(256 + number).count(text)
        assert (before - length, length) == (step["count"], step["length"])
    assert tok.encode(fact["encode"]["text"]) == fact["encode"]["ids"]


def test_first_seen_bpe(facts: dict[str, Any]) -> None:
    fact = facts["first_seen_bpe"]
    tok = bytepair.train(
        [fact["text"]], fact["vocab_size"], pattern=fact["pattern"], ties=fact["ties"]
    )
    merges = [
        [tok.token_id(left), tok.token_id(right), id, (left + right).decode()]
        for id, (left, right) in enumerate(tok.merges, 256)
    ]
    assert merges[: len(fact["first_merges"])] == fact["first_merges"]
    for place, merge in fact["later_merges"].items():
        assert merges[int(place) - 1] == merge
    assert tok.encode(fact["encode"]["text"]) == fact["encode"]["ids"]


def test_end_of_word_bpe(facts: dict[str, Any]) -> None:
    """With a byte for the end of a word that is numbered after all letters."""
    fact = facts["end_of_word_bpe"]
    texts = [f"{word}\xff".encode("latin-1") for word, n in fact["words"].items() for _ in range(n)]

    def merges(ties: str) -> list[list[str]]:
        tok = bytepair.train(texts, 256 + len(fact["merges"]), pattern=None, ties=ties)  # type: ignore[arg-type]
        shown = (part.decode("latin-1") for pair in tok.merges for part in pair)
        symbols = [symbol.replace("\xff", fact["end_of_word"]) for symbol in shown]
        return [symbols[at : at + 2] for at in range(0, len(symbols), 2)]

    assert merges(fact["ties"]) == [[left, right] for left, right, _ in fact["merges"]]
    assert merges("first")[2:] == [["n", "e"], ["ne", "w</w>"]]


def test_character_bpe_zh(facts: dict[str, Any]) -> None:
    """With a byte for each character."""
    fact = facts["character_bpe_zh"]
    characters = sorted(set("".join(fact["texts"])))
    assert len(characters) == fact["initial_vocab"]
    byte_of = str.maketrans({c: chr(0xA1 + n) for n, c in enumerate(characters)})
    back = {chr(0xA1 + n): c for n, c in enumerate(characters)}
    texts = [text.translate(byte_of).encode("latin-1") for text in fact["texts"]]
    tok = bytepair.train(texts, 256 + len(fact["merges"]), pattern=None, ties="first")
    expected = [(left, right) for left, right, *_ in fact["merges"]]
    found = [
        tuple(part.decode("latin-1").translate(str.maketrans(back)) for part in pair)
        for pair in tok.merges
    ]
    assert found == expected
    sizes = [fact["initial_vocab"] + n for n in range(1, len(expected) + 1)]
    assert [size for *_, size in fact["merges"]] == sizes


# ------------------------------------------------------------------ corpus.en


def test_train_corpus_en_counts(facts: dict[str, Any], corpus: bytes) -> None:
    fact = facts["train_corpus_en"]
    assert len(corpus) == fact["bytes"]
    for source in ([corpus], bytepair.files(path("corpus.en"))):
        counts = bytepair.count_pretokens(source, fact["pattern"])
        assert (counts.total, len(counts)) == (fact["pretokens"], fact["unique_pretokens"])
        assert counts.text_bytes == fact["bytes"]


@pytest.mark.parametrize("merges", [500, 2000])
def test_train_corpus_en(facts: dict[str, Any], corpus: bytes, merges: int) -> None:
    fact = facts["train_corpus_en"]
    expected = fact[f"{merges}_merges"]
    tok = bytepair.train([corpus], 256 + merges, pattern=fact["pattern"], ties=fact["ties"])
    assert len(tok.merges) == merges
    assert [(left + right).decode() for left, right in tok.merges[:10]] == fact["first_ten_tokens"]
    assert tok.count(corpus) == len(tok.encode(corpus)) == expected["tokens"]
    assert round(len(corpus) / tok.count(corpus), 2) == expected["bytes_per_token"]
    by_length = sorted(tok.vocab.items(), key=lambda item: (len(item[1]), item[0]))
    assert [token.decode() for _, token in by_length[-5:]] == expected["longest"]
    assert tok.decode_bytes(tok.encode(corpus)) == corpus


def test_500_merges_are_the_first_of_2000(corpus: bytes) -> None:
    large = bytepair.train([corpus], 2_256)
    assert large.truncated(756) == bytepair.train([corpus], 756)


def byte_alphabet() -> dict[str, int]:
    """GPT-2's printable characters, back to bytes."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {
        chr(256 + place): byte for place, byte in enumerate(others)
    }


def test_train_corpus_en_reference(facts: dict[str, Any]) -> None:
    fact = facts["train_corpus_en_reference"]
    alphabet = byte_alphabet()

    def to_bytes(shown: str) -> bytes:
        return bytes(alphabet[character] for character in shown)

    lines = (GOLDEN / fact["merges_file"]).read_text(encoding="utf-8").splitlines()
    vocab = json.loads((GOLDEN / fact["vocab_file"]).read_text(encoding="utf-8"))
    tok = bytepair.train(
        bytepair.files(path("corpus.en")),
        fact["vocab_size"],
        special_tokens=fact["special_tokens"],
        pattern=fact["pattern"],
        ties=fact["ties"],
        special_first=True,
    )
    assert tok.merges == [tuple(map(to_bytes, line.split(" "))) for line in lines]
    assert tok.special_tokens == {text: vocab.pop(text) for text in fact["special_tokens"]}
    assert set(tok.vocab.values()) == set(map(to_bytes, vocab))
    assert len(tok) == tok.vocab_size == fact["vocab_size"]


def test_vocab_size_account(facts: dict[str, Any], corpus: bytes) -> None:
    fact = facts["vocab_size_account"]
    specials = ["<|endoftext|>"] * fact["special_tokens"]
    # The corpus alone has no pair left after some 8,200 merges.
    more = random.Random(0).randbytes(100_000).hex()
    tok = bytepair.train([corpus, more], fact["vocab_size"], special_tokens=specials)
    assert len(tok.merges) == fact["merges"]
    assert len(tok) == tok.vocab_size == fact["vocab_size"]
