"""Real text: the beginning of each corpus by default, all 97 MB in the exhaustive run."""

from __future__ import annotations

import itertools
import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest
from effort import effort
from outside_judges import (
    HUGGINGFACE,
    OPENAI,
    bundled,
    huggingface_judge,
    shared_file,
    tiktoken_judge,
)
from tally import judging

from .conftest import compare, huggingface_ids, with_nfc_of_unicode_16

CORPORA = ["english", "chinese", "code", "multilingual", "scripts"]

# Characters: a difference is found soon, memory stays small, and tokenizers can use every core.
PIECE, LINES = 200_000, 5_000


def pieces(shared: Path, corpus: str, first: int | None) -> Iterator[str]:
    """The first pieces of a corpus, or all."""
    path = shared_file(shared, f"corpora/{corpus}.txt.xz")
    with lzma.open(path, "rt", encoding="utf-8", newline="") as text:
        yield from itertools.islice(iter(lambda: text.read(PIECE), ""), first)


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("name", OPENAI)
def test_as_in_tiktoken(name, corpus, shared):
    tok, judge = bundled(name), tiktoken_judge(name, shared)
    with judging(name, "tiktoken", "corpora") as tally:
        for piece in pieces(shared, corpus, effort(1, most=10**6)):
            ours = tok.encode_batch_to_numpy([piece])
            compare([piece], ours, [judge.encode_ordinary(piece)], tally)
            assert tok.decode(ours.ids) == piece


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("name", HUGGINGFACE)
def test_as_in_tokenizers(name, corpus, shared):
    tok, judge = huggingface_judge(name, shared)
    with judging(name, "tokenizers", "corpora") as tally:
        for piece in pieces(shared, corpus, effort(1, most=10**6)):
            texts = list(in_lines(piece))
            ours = tok.encode_batch_to_numpy(texts, allowed_special="all")
            theirs = huggingface_ids(judge, texts)
            compare(texts, ours, theirs, tally, again=with_nfc_of_unicode_16(judge))


def in_lines(piece: str) -> Iterator[str]:
    """Whole lines, put together up to about LINES characters."""
    lines: list[str] = []
    length = 0
    for line in piece.splitlines(keepends=True):
        lines.append(line)
        length += len(line)
        if length >= LINES:
            yield "".join(lines)
            lines, length = [], 0
    if lines:
        yield "".join(lines)


def test_a_piece_is_its_lines():
    piece = "a\r\n" * 3000 + "b\u2028" * 3000 + "c" * 9000 + "\n\nd"
    texts = list(in_lines(piece))
    assert "".join(texts) == piece
    assert len(texts) == 4
