"""Bad input: the documented answer, or an error that names the place.

And texts that are only large: no time that grows with their square, no stack that overflows.
"""

from __future__ import annotations

import base64
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hard_texts import trained

import bytepair
from bytepair import (
    BytepairError,
    FormatError,
    PatternError,
    SpecialTokenError,
    Tokenizer,
    UnknownNameError,
    VocabError,
)

BYTES = {bytes([byte]): byte for byte in range(256)}


def ranks_file(ranks: dict[bytes, int]) -> bytes:
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())


def loaded(tmp_path: Path, data: bytes, name: str = "mine.tiktoken") -> Tokenizer:
    path = tmp_path / name
    path.write_bytes(data)
    return bytepair.load(path, pattern="gpt2")


# ------------------------------------------------------------------ the documented answer


def test_surrogates_are_joined_or_replaced() -> None:
    tok = trained("gpt2")
    assert tok.decode(tok.encode("a\ud83c\udf0db")) == "a🌍b"
    assert tok.decode(tok.encode("a\ud83cb\udf0d")) == "a\ufffdb\ufffd"


def test_bytes_that_are_no_utf_8_are_kept() -> None:
    tok = trained("gpt2")
    for data in (b"\xff", b"\xf0\x9f\x8c", b"a\x80\xed\xa0\x80 b", bytes(range(256))):
        assert tok.decode_bytes(tok.encode(data)) == data


def test_empty_everything(tmp_path: Path) -> None:
    tok = trained("gpt2")
    for text in ("", b"", bytearray(), memoryview(b"")):
        assert tok.encode(text) == []
        assert tok.encode_to_numpy(text).shape == (0,)
        assert tok.encode_to_numpy(text).dtype == np.uint32
        assert (tok.count(text), tok.fits(text, 0), tok.offsets(text)) == (0, True, [])
        assert (tok.pretokens(text), tok.normalize(text)) == ([], "")
        assert list(tok.encode_stream([text])) == []
    assert (tok.truncate("", 5), tok.truncate(b"", 0), tok.truncate("abc", 0)) == ("", b"", "")
    assert tok.chunks("", 5) in ([], [""])
    assert (tok.decode([]), tok.decode_bytes([]), tok.decode_batch([])) == ("", b"", [])
    assert (tok.decode_batch([[]]), tok.encode_batch([]), tok.encode_batch([""])) == (
        [""],
        [],
        [[]],
    )
    assert tok.stream().finish() == ""
    assert tok.encode("", allowed_special=(), disallowed_special=()) == []
    assert tok.with_special_tokens({}) == tok
    assert len(Tokenizer.from_merges([])) == 256
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"")
    assert bytepair.count_pretokens(bytepair.files(empty)).items() == []


# ------------------------------------------------------------------ an error that names the place

CASES: dict[str, tuple[Callable[[Path], object], type[Exception], list[str]]] = {
    "an id that is in no token": (
        lambda _: trained("gpt2").decode([97, 480]),
        VocabError,
        ["the id `480` at position 1", "highest id: 479"],
    ),
    "a negative id": (
        lambda _: trained("gpt2").decode([-1]),
        VocabError,
        ["the id `-1` at position 0"],
    ),
    "an id beyond 32 bits": (
        lambda _: trained("gpt2").decode([2**64]),
        VocabError,
        [f"the id `{2**64}` at position 0"],
    ),
    "an id in a row": (
        lambda _: trained("gpt2").decode_batch([[97], [98, 5000]]),
        VocabError,
        ["row 1", "the id `5000` at position 1"],
    ),
    "a vocabulary that misses a byte": (
        lambda _: Tokenizer.from_ranks(
            {token: rank for token, rank in BYTES.items() if rank != 0x41}, pattern=None
        ),
        VocabError,
        ["no token for the byte 0x41"],
    ),
    "a vocabulary without bytes": (
        lambda _: Tokenizer.from_ranks({b"ab": 0}, pattern=None),
        VocabError,
        ["no token for the byte 0x00"],
    ),
    "a file that misses a byte": (
        lambda at: loaded(at, ranks_file({t: r for t, r in BYTES.items() if r != 0x41})),
        FormatError,
        ["mine.tiktoken", "no token for the byte 0x41"],
    ),
    "a .tiktoken file cut in the middle of a line": (
        lambda at: loaded(at, ranks_file(BYTES | {b"ab": 256})[:-5]),
        FormatError,
        ["mine.tiktoken", "line 257"],
    ),
    "a .tiktoken file cut in the middle": (
        lambda at: loaded(at, ranks_file(BYTES)[:1000]),
        FormatError,
        ["mine.tiktoken"],
    ),
    "a duplicate rank in a file": (
        lambda at: loaded(at, ranks_file(BYTES) + b"YWI= 97\n"),
        FormatError,
        ["mine.tiktoken", "line 257", "the id 97 belongs to two tokens, `a` and `ab`"],
    ),
    "a duplicate rank": (
        lambda _: Tokenizer.from_ranks(BYTES | {b"ab": 97}, pattern=None),
        VocabError,
        ["the id 97 belongs to two tokens", "`ab`"],
    ),
    "a duplicate token in a file": (
        lambda at: loaded(at, ranks_file(BYTES) + b"YQ== 256\n"),
        FormatError,
        ["mine.tiktoken", "line 257", "the token `a` has two ids, 97 and 256"],
    ),
    "a file that is not there": (
        lambda at: bytepair.load(at / "absent.json"),
        FormatError,
        ["absent.json", "there is no such file or folder"],
    ),
    "a file below a file": (
        lambda at: (loaded(at, ranks_file(BYTES)), bytepair.load(at / "mine.tiktoken" / "x.json")),
        FormatError,
        ["x.json", "cannot be read: Not a directory"],
    ),
    "an empty file": (
        lambda at: loaded(at, b""),
        FormatError,
        ["mine.tiktoken", "the file holds no tokens"],
    ),
    "an unknown name": (
        lambda _: bytepair.load("cl200k"),
        UnknownNameError,
        ["unknown tokenizer `cl200k`", "hint: did you mean `cl100k_base`?"],
    ),
    "an empty name": (lambda _: bytepair.load(""), UnknownNameError, ["the empty text"]),
    "an unknown name asked about": (
        lambda _: bytepair.info("cl200k"),
        UnknownNameError,
        ["`cl200k`", "`cl100k_base`"],
    ),
    "a vocab_size below 256": (
        lambda _: bytepair.train(["ab"], 255),
        VocabError,
        ["vocab_size `255` is too small", "256 at least"],
    ),
    "a vocab_size below bytes and special tokens": (
        lambda _: bytepair.train(["ab"], 257, special_tokens=["<s>", "<t>"]),
        VocabError,
        ["vocab_size `257` is too small", "256 bytes and 2 special tokens: 258 at least"],
    ),
    "a pattern that does not compile": (
        lambda _: Tokenizer.from_merges([], pattern=r"(\p{L}+"),
        PatternError,
        [r"the pattern `(\p{L}+` does not compile"],
    ),
    "the second of two stages": (
        lambda _: bytepair.train(["ab"], 300, pattern=("gpt2", "[z-a]")),
        PatternError,
        ["the pattern `[z-a]` does not compile"],
    ),
    "an unknown property": (
        lambda _: Tokenizer.from_merges([], pattern=r"\p{Nonsense}"),
        PatternError,
        [r"the pattern `\p{Nonsense}` does not compile"],
    ),
    "an empty pattern": (
        lambda _: Tokenizer.from_merges([], pattern=""),
        PatternError,
        ["the pattern is the empty text", "pass None for no pattern"],
    ),
    "a pattern that is no name": (
        lambda _: Tokenizer.from_merges([], pattern="gpt22"),
        PatternError,
        ["no pattern is named `gpt22`", "`gpt2`", "`(?:gpt22)`"],
    ),
    "a pattern without end": (
        lambda _: Tokenizer.from_merges([], pattern=r"(a|a|aa)+(?=b)c").encode("a" * 100),
        PatternError,
        ["needs too many steps at byte"],
    ),
    "a special token in the text": (
        lambda _: trained("gpt2").encode("x <|a|>", disallowed_special="all"),
        SpecialTokenError,
        ["the special token `<|a|>` at byte 2"],
    ),
    "an unknown special token": (
        lambda _: trained("gpt2").encode("x", allowed_special={"<|b|>"}),
        SpecialTokenError,
        ["`<|b|>` is no special token"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_place_is_named(tmp_path: Path, case: str) -> None:
    call, kind, said = CASES[case]
    with pytest.raises(BytepairError) as error:
        call(tmp_path)
    assert type(error.value) is kind
    assert [part for part in said if part not in str(error.value)] == []


def test_errors_are_also_pythons_own() -> None:
    for kind in (VocabError, FormatError, PatternError, SpecialTokenError):
        assert issubclass(kind, ValueError)
        assert issubclass(kind, BytepairError)
    assert issubclass(UnknownNameError, LookupError)
    assert issubclass(bytepair.HubError, OSError)
    assert issubclass(bytepair.TrainingWarning, UserWarning)
    error = VocabError("message", hint="advice")
    assert (str(error), error.message, error.hint) == ("message\nhint: advice", "message", "advice")


def test_a_pattern_that_matches_nothing_leaves_all_in_one_piece() -> None:
    for pattern in (r"[^\s\S]", "(?:zzz)", "(?=x)", "x*"):
        tok = Tokenizer.from_merges([(b"a", b"b")], pattern=pattern)
        assert tok.pretokens("ab ab") == [b"ab ab"]
        assert tok.encode("ab ab") == [256, 32, 256]
        assert list(tok.encode_stream(["a", "b ab"])) == [256, 32, 256]
        assert bytepair.count_pretokens(["ab ab"], pattern).items() == [(b"ab ab", 1)]


# ------------------------------------------------------------------ only large

MEGABYTE = 2**20


def texts() -> dict[str, str]:
    dice = random.Random(0)
    thai = "".join(map(chr, [*range(0xE01, 0xE3B), *range(0xE40, 0xE5C)]))
    return {
        "one letter": "a" * MEGABYTE,
        "another letter": "中" * (MEGABYTE // 3),
        "blanks": " " * MEGABYTE,
        "line ends": "\n" * MEGABYTE,
        "blanks and line ends": " \n" * (MEGABYTE // 2),
        "random letters": "".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=MEGABYTE)),
        "Thai": "".join(dice.choices(thai, k=MEGABYTE // 3)),
        "base64": base64.b64encode(dice.randbytes(MEGABYTE * 3 // 4)).decode(),
        "digits": "7" * MEGABYTE,
        "signs": "!?" * (MEGABYTE // 2),
        "apostrophes": "'s" * (MEGABYTE // 2),
        "marks": "a" + "\u0301" * (MEGABYTE // 2),
        "zero bytes": "\0" * MEGABYTE,
    }


TEXTS = texts()

#: Seconds for a megabyte: far more than it takes, far less than what grows with the square.
BOUND = 20.0


def timed(call: Callable[[], Any]) -> Any:
    started = time.perf_counter()
    result = call()
    assert time.perf_counter() - started < BOUND
    return result


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "qwen2.5"])
def test_a_megabyte(name: str, kind: str) -> None:
    tok, text = bytepair.load(name), TEXTS[kind]
    ids = timed(lambda: tok.encode(text))
    assert timed(lambda: tok.decode(ids)) == tok.normalize(text)
    assert timed(lambda: tok.count(text)) == len(ids)


@pytest.mark.parametrize("kind", TEXTS)
def test_a_megabyte_in_chunks(kind: str) -> None:
    tok, text = bytepair.load("o200k_base"), TEXTS[kind]
    chunks = [text[at : at + 10_000] for at in range(0, len(text), 10_000)]
    assert timed(lambda: list(tok.encode_stream(chunks))) == tok.encode(text)


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("name", ["gpt2", "cl100k", "deepseek_v3", None])
def test_counting_a_megabyte(name: str | None, kind: str) -> None:
    counts = timed(lambda: bytepair.count_pretokens([TEXTS[kind]], name))
    assert counts.text_bytes == len(TEXTS[kind].encode())


def test_a_megabyte_without_a_pattern() -> None:
    tok = Tokenizer.from_merges(bytepair.load("gpt2").merges, pattern=None)
    for text in TEXTS.values():
        ids = timed(lambda text=text: tok.encode(text))  # type: ignore[misc]
        assert tok.decode(ids) == text
    for kind in ("one letter", "random letters", "blanks"):
        trained_on = timed(lambda kind=kind: bytepair.train([TEXTS[kind]], 270, pattern=None))  # type: ignore[misc]
        assert len(trained_on) == 270


def test_no_stack_grows() -> None:
    failed: list[BaseException] = []
    tok = bytepair.load("gpt2")

    def work() -> None:
        try:
            for text in TEXTS.values():
                tok.encode(text)
        except BaseException as error:
            failed.append(error)

    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert failed == []


def test_offsets_and_truncation_of_a_megabyte() -> None:
    tok = bytepair.load("o200k_base")
    for kind in ("one letter", "Thai"):
        text = TEXTS[kind]
        spans = timed(lambda text=text: tok.offsets(text))  # type: ignore[misc]
        assert spans[-1][1] == len(text)
        assert not timed(lambda text=text: tok.fits(text, 100))  # type: ignore[misc]
        part = timed(lambda text=text: tok.truncate(text, 100))  # type: ignore[misc]
        assert 0 < len(part) < len(text)
        assert tok.count(part) <= 100
        pieces = timed(lambda text=text: tok.chunks(text, 10_000))  # type: ignore[misc]
        assert "".join(pieces) == text
        assert all(tok.count(piece) <= 10_000 for piece in pieces)


def test_many_special_tokens() -> None:
    specials = {f"<|{number}|>": 1_000 + number for number in range(5_000)}
    tok = Tokenizer.from_merges([], special_tokens=specials)
    text = "".join(specials) * 10
    assert timed(lambda: tok.encode(text, allowed_special="all")) == [*specials.values()] * 10
    assert timed(lambda: tok.count("<|" * 300_000, allowed_special="all")) == 600_000
