"""Faults that a hostile file or text could use: runaway patterns, bytes without a token."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest
from entry_points import command
from hard_texts import trained

import bytepair
from bytepair import BytepairError, FormatError, PatternError, Tokenizer, VocabError

# ------------------------------------------------------------------ Q01: runaway patterns

BOMBS = [
    r"(a+)+$",
    r"(?=a)(a+)+\1$",
    r"(?=a)(a+a+)+\1$",
    r"(a|a)+(?=b)c",
    r"(a|a|aa)+(?=b)c",
    r"((a*)*)*\1$",
    r"(?:a*)*(?!b)$",
    r"(?:(?:a?){30}a{30})(?!.)",
    r"(\w+\s?)+(?=\d)$",
    r"(?=(?:a|aa)+$)a+c",
    r"^(([a-z])+.)+[A-Z]([a-z])+(?=$)",
    r"(?<=a)(?:a+)+$",
    r"(?>(a+)+)$(?!x)",
    r"(.*)*\1(?=x)$",
]
TARGETS = ["a" * 30 + "b", "a" * 30, "ab " * 20 + "!", "x" * 60, "a" * 3_000 + "b"]


def in_time(work: Any, seconds: float = 1) -> PatternError | None:
    """Runs `work`, which ends by a result or a PatternError, in so many seconds of the
    processor's time: the best of three, for a busy machine."""
    spent, error = [], None
    for _ in range(3):
        started = time.process_time()
        try:
            work()
        except PatternError as raised:
            error = raised
        spent.append(time.process_time() - started)
        if spent[-1] < seconds:
            break
    assert min(spent) < seconds
    return error


@pytest.mark.parametrize("bomb", BOMBS)
def test_Q01_a_runaway_pattern_ends(bomb: str) -> None:
    tok = Tokenizer.from_merges([], pattern=bomb)
    for text in TARGETS:
        error = in_time(lambda text=text: tok.encode(text))
        if error is None:
            assert tok.decode(tok.encode(text)) == text
        else:
            assert "needs too many steps at byte" in str(error)
            assert isinstance(error, ValueError)


def test_Q01_from_a_file_and_in_every_call(tmp_path: Path) -> None:
    trained("gpt2").save(tmp_path / "tokenizer.json")
    content: dict[str, Any] = json.loads((tmp_path / "tokenizer.json").read_text())
    steps = content["pre_tokenizer"]["pretokenizers"]
    split = next(step for step in steps if step["type"] == "Split")
    text = "a" * 30 + "b"
    for bomb in (r"(a+)+$", r"(a|a|aa)+(?=b)c"):
        split["pattern"] = {"Regex": bomb}
        path = tmp_path / "bomb.json"
        path.write_text(json.dumps(content))
        tok = bytepair.load(path)
        for call in (tok.encode, tok.count, tok.pretokens, tok.offsets, tok.encode_to_numpy):
            in_time(lambda call=call: call(text))
        for batch in (tok.encode_batch, tok.count_batch):
            in_time(lambda batch=batch: batch([text, text], threads=2), 2)
        in_time(lambda tok=tok: list(tok.encode_stream([text])))
        in_time(lambda tok=tok: tok.truncate(text, 5))
        in_time(lambda bomb=bomb: bytepair.count_pretokens([text], pattern=bomb))
        assert command("encode", "-t", path, stdin=text.encode()).code in (0, 1)


@pytest.mark.parametrize(
    "pattern",
    [
        "a" * 1_000_000,
        "(?:a{1000}){1000}",
        "(((a{100}){100}){100})",
        r"\p{L}{50000}",
        "(" * 5_000 + "a" + ")" * 5_000,
        "(?:" * 50_000 + "a" + ")" * 50_000,
        "[" * 5_000,
        "a|" * 100_000 + "b",
        "(?=" * 2_000 + ")" * 2_000,
        "(a)" * 2_000 + r"\2000",
    ],
    ids=lambda pattern: pattern[:16],
)
def test_Q01_a_pattern_that_is_too_large_is_refused_or_runs(pattern: str) -> None:
    started = time.process_time()
    try:
        tok = Tokenizer.from_merges([], pattern=pattern)
        assert tok.decode(tok.encode("aaab" * 20)) == "aaab" * 20
    except PatternError as error:
        assert "pattern" in str(error)
        assert len(str(error)) < 2_000
    assert time.process_time() - started < 5


# ------------------------------------------------------------------ Q04: missing bytes


@pytest.mark.parametrize("byte", [0x00, 0x20, 0x62, 0x80, 0xC3, 0xE6, 0xFF])
def test_Q04_a_missing_byte_is_an_error_at_load_or_in_the_call(tmp_path: Path, byte: int) -> None:
    ranks = {bytes([b]): b for b in range(256) if b != byte}
    lines = [base64.b64encode(token) + b" %d" % rank for token, rank in ranks.items()]
    (tmp_path / "mine.tiktoken").write_bytes(b"\n".join(lines))
    trained("gpt2").save(tmp_path / "tokenizer.json")
    content = json.loads((tmp_path / "tokenizer.json").read_text())
    vocab = content["model"]["vocab"]
    letter = next(letter for letter, id in vocab.items() if id == byte and len(letter) == 1)
    keep = {token: id for token, id in vocab.items() if letter not in token}
    kept = [m for m in content["model"]["merges"] if letter not in "".join(m).replace(" ", "")]
    content["model"] |= {"vocab": keep, "merges": kept}
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    named = f"byte 0x{byte:02x}"

    def build() -> Tokenizer:
        return Tokenizer.from_ranks(ranks, pattern="gpt2")

    def ranked() -> Tokenizer:
        return bytepair.load(tmp_path / "mine.tiktoken", pattern="gpt2")

    def merged() -> Tokenizer:
        return bytepair.load(tmp_path / "tokenizer.json")

    for made in (build, ranked, merged):
        try:
            tok = made()
        except (VocabError, FormatError) as error:
            assert named in str(error)  # both ways out are right
            continue
        # 13 bytes are in no UTF-8, so text never needs them, and each call that does says so.
        assert byte >= 0xF5 or byte in (0xC0, 0xC1)
        assert tok.decode(tok.encode("any text: ñ 東 🌍")) == "any text: ñ 東 🌍"
        data = b"ab" + bytes([byte])
        for call in (tok.encode, tok.count, tok.offsets, tok.encode_to_numpy):
            with pytest.raises(BytepairError, match=f"byte 2 is 0x{byte:02x}"):
                call(data)
