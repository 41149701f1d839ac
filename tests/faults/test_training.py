"""Faults in training: results that depend on chance, limits ignored, files that stopped it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from effort import effort
from entry_points import command
from hard_texts import CORPUS

import bytepair
from bytepair import FormatError, Tokenizer, TrainingWarning, VocabError

TIES: list[Any] = ["bytes", "ids", "first", "huggingface"]


def saved(tok: Tokenizer, folder: Path) -> bytes:
    tok.save(folder / "tokenizer.json")
    return (folder / "tokenizer.json").read_bytes()


# ------------------------------------------------------------------ T03: the same twice


@pytest.mark.parametrize("ties", TIES)
def test_T03_the_same_file_for_any_threads_and_chunks(tmp_path: Path, ties: Any) -> None:
    text = "".join(CORPUS) * 3
    shuffle = random.Random(3)
    options: dict[str, Any] = {"ties": ties, "special_tokens": ["<|a|>"]}
    files = set()
    for run in range(effort(20, 60)):
        threads = (1, 2, 8)[run % 3]
        path = tmp_path / "corpus.txt"
        path.write_text(text, encoding="utf-8", newline="")
        separated = (
            bytepair.files(path, separator="<|a|>") if run % 4 == 0 else bytepair.files(path)
        )
        tok = bytepair.train(separated, 450, threads=threads, **options)
        files.add(saved(tok, tmp_path))
        # The same texts in another number of chunks: cut where a special token stands anyway.
        parts = text.split("<|a|>")
        size = shuffle.randint(1, len(parts))
        chunks = ["<|a|>".join(parts[at : at + size]) for at in range(0, len(parts), size)]
        files.add(saved(bytepair.train(chunks, 450, threads=threads, **options), tmp_path))
    assert len(files) == 1


TRAIN = """
import hashlib, sys, bytepair
tok = bytepair.train(sys.stdin.read().split("|"), 400, ties=sys.argv[1], threads=2)
print(tok.fingerprint)
"""


def test_T03_the_seed_of_hashing_plays_no_part() -> None:
    package = str(Path(bytepair.__file__).parent.parent)
    text = "|".join(CORPUS)
    for ties in ("bytes", "first"):
        prints = set()
        for seed in ("0", "1", "77"):
            environment = {**os.environ, "PYTHONPATH": package, "PYTHONHASHSEED": seed}
            command_line = [sys.executable, "-c", TRAIN, ties]
            done = subprocess.run(
                command_line, input=text.encode(), capture_output=True, env=environment, check=True
            )
            prints.add(done.stdout)
        assert len(prints) == 1


# ------------------------------------------------------------------ T04: the order of the texts


@pytest.mark.parametrize("ties", ["bytes", "ids", "huggingface"])
def test_T04_the_order_of_the_texts_plays_no_part(ties: Any) -> None:
    blocks = [letter * 3 + " " for letter in "abcdefghijklmnopqrstuvwxyz中東éß"]
    shuffled = random.Random(4).sample(blocks, len(blocks))
    trained = [
        bytepair.train(texts, 300, ties=ties, pattern=r"\S+|\s+")
        for texts in (blocks, blocks[::-1], shuffled, ["".join(blocks)], ["".join(blocks[::-1])])
    ]
    assert all(tok == trained[0] for tok in trained)


def test_T04_ties_are_broken_by_a_rule_on_bytes() -> None:
    for text in ("ab ba cd dc", "dc cd ba ab"):
        assert bytepair.train([text], 257, pattern=r"\S+").merges == [(b"d", b"c")]
    # Only where it is asked for does the order of appearance count.
    for text, first in (("ab dc", b"ab"), ("dc ab", b"dc")):
        tok = bytepair.train([text], 257, pattern=r"\S+", ties="first")
        assert tok.merges == [(first[:1], first[1:])]


# ------------------------------------------------------------------ T06: limits are kept


@pytest.mark.parametrize("size", [0, 100, 255, 257])
def test_T06_a_size_that_cannot_be_had_is_an_error_before_the_work(size: int) -> None:
    def never_read() -> Any:
        raise AssertionError("the texts were read")
        yield

    with pytest.raises(VocabError, match=f"`{size}` is too small") as error:
        bytepair.train(never_read(), size, special_tokens=["<a>", "<b>"])
    assert "258 at least" in str(error.value)


def test_T06_an_alphabet_of_any_size_fits_into_256_bytes() -> None:
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 500)))
    tok = bytepair.train([" ".join(letters)] * 3, 300)
    assert (len(tok), tok.vocab_size) == (300, 300)
    assert tok.decode(tok.encode(letters)) == letters


@pytest.mark.parametrize("longest", [1, 2, 3, 5])
def test_T06_no_token_is_longer_than_asked(longest: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)
        tok = bytepair.train(CORPUS, 20_000, max_token_length=longest)
    assert max(map(len, tok.vocab.values())) == longest
    assert (tok.merges == []) == (longest == 1)


# ------------------------------------------------------------------ T07: bytes that are no text

BAD = b"a first line\nsecond \xff\xfe line\nthird line\n"


def test_T07_a_bad_byte_stops_nothing(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(BAD)
    for source in (bytepair.files(path), [BAD]):
        counts = bytepair.count_pretokens(source)
        assert counts.text_bytes == len(BAD)
        assert counts[b" \xff\xfe"] == 1
        assert len(bytepair.train(source, 270)) == 270
    done = command("train", path, "-o", tmp_path / "out.json", "--vocab-size", "270")
    assert done.code == 0
    assert bytepair.load(tmp_path / "out.json") == bytepair.train([BAD], 270)


def test_T07_strict_names_file_and_offset(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(BAD)
    with pytest.raises(FormatError, match=r"corpus\.txt.*byte 20 is not UTF-8"):
        bytepair.train(bytepair.files(path), 270, errors="strict")
    out = tmp_path / "out.json"
    done = command("train", path, "-o", out, "--vocab-size", "270", "--errors", "strict")
    assert done.code == 1
    assert "corpus.txt" in done.err
    assert "byte 20" in done.err
    assert not out.exists()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_T07_utf_16_is_seen_before_the_work(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes("\ufeffa text".encode(encoding))
    with pytest.raises(
        FormatError, match=r"corpus\.txt` begins with the byte-order mark of UTF-16"
    ):
        bytepair.files(path)
    done = command("train", path, "-o", tmp_path / "out.json", "--vocab-size", "270")
    assert done.code == 1
    assert "UTF-16" in done.err


# ------------------------------------------------------------------ T09: special tokens

SPECIALS = ["<|end|>", "<|of|>"]


@pytest.mark.parametrize("pattern", ["gpt2", None, r"\S+|\s+"])
def test_T09_chunks_never_show_and_nothing_crosses_a_special_token(
    tmp_path: Path, pattern: str | None
) -> None:
    documents = ["ab ab abab", "<|ab|>", "bab|> <|e", "", "end|>ab", "a<b>c<|"]
    text = "<|end|>".join(documents) + "<|of|><|of|>" + "<|of|>".join(documents * 9) + "<|of|>"
    whole = bytepair.train([text], 264, pattern=pattern, special_tokens=SPECIALS)
    assert not any(
        special.encode() in left + right for left, right in whole.merges for special in SPECIALS
    )
    pieces = [piece for part in text.split("<|end|>") for piece in part.split("<|of|>")]
    assert bytepair.train(pieces, 264, pattern=pattern, special_tokens=SPECIALS) == whole
    expected = bytepair.count_pretokens([text], pattern, SPECIALS).items()
    path = tmp_path / "corpus.txt"
    for copies in (1, 30_000):  # which is more than the block that is read at once
        path.write_text(text * copies, encoding="utf-8")
        for threads in (1, 4):
            source = bytepair.files(path)
            counts = bytepair.count_pretokens(source, pattern, SPECIALS, threads=threads)
            assert dict(counts.items()) == {token: copies * count for token, count in expected}


@pytest.mark.parametrize("size", [1, 7, 64])
def test_T09_texts_cut_at_special_tokens_in_chunks_of_any_size(size: int) -> None:
    documents = [f"word{n % 7} and {n % 3} more" for n in range(200)]
    whole = bytepair.train(["<|end|>".join(documents)], 266, special_tokens=SPECIALS)
    chunks = [
        "<|end|>".join(documents[start : start + size]) + "<|of|>"
        for start in range(0, len(documents), size)
    ]
    assert bytepair.train(chunks, 266, special_tokens=SPECIALS) == whole


# ------------------------------------------------------------------ T11: symbols in words, sizes


def test_T11_a_symbol_splits_and_adds_no_blank() -> None:
    counts = bytepair.count_pretokens(["@218@sentence@ x"], special_tokens=["@"])
    assert dict(counts.items()) == {b"218": 1, b"sentence": 1, b" x": 1}
    tok = bytepair.train(["@218@sentence"] * 3, 262, special_tokens=["@"])
    assert not any(b" " in left + right for left, right in tok.merges)
    ids = tok.encode("@218@sentence", allowed_special="all")
    assert tok.decode(ids) == "@218@sentence"
    assert [id == tok.special_tokens["@"] for id in ids[:1]] == [True]


def test_T11_a_size_that_is_too_high_says_what_there_is(tmp_path: Path) -> None:
    with pytest.warns(TrainingWarning, match=r"ended at 259 tokens, 5000 were asked for"):
        tok = bytepair.train(["abc abc"], 5000, special_tokens=["@"], pattern=r"\S+")
    assert len(tok) == 259
    assert bytepair.train(["abc abc"], 259, special_tokens=["@"], pattern=r"\S+") == tok
    (tmp_path / "corpus.txt").write_text("abc abc")
    arguments = ["--vocab-size", "5000", "--pattern", r"\S+"]
    done = command("train", tmp_path / "corpus.txt", "-o", tmp_path / "out.json", *arguments)
    assert done.code == 0
    assert "258 tokens" in done.err
    assert "5000" in done.err.replace(",", "")
