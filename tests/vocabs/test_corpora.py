"""Ids equal to tiktoken's on large corpora.

The default run takes the beginning of each; BYTEPAIR_EXHAUSTIVE=1 takes all of it.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest
from effort import effort

from .conftest import judge, load

PIECE = 500_000  # characters, so that a difference is found soon and memory stays small
FIRST = effort(3, most=10**9)  # pieces


def pieces(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8", newline="") as text:
        for _ in range(FIRST):
            piece = text.read(PIECE)
            if not piece:
                return
            yield piece


@pytest.mark.parametrize("name", ["gpt2", "p50k_base", "cl100k_base", "o200k_base"])
@pytest.mark.parametrize("corpus", ["english", "chinese", "code", "multilingual", "scripts"])
def test_corpus_as_in_tiktoken(name, corpus, shared):
    tok, tiktoken = load(name), judge(name)
    for number, piece in enumerate(pieces(shared / "corpora" / f"{corpus}.txt.xz")):
        ids, expected = tok.encode(piece), tiktoken.encode_ordinary(piece)
        if ids != expected:
            pairs = zip_longest(ids, expected)
            start = next(i for i, pair in enumerate(pairs) if pair[0] != pair[1])
            place = len(tok.decode(expected[:start]))
            pytest.fail(
                f"piece {number}: id {start} differs, after {piece[max(0, place - 60) : place]!r}, "
                f"before {piece[place : place + 60]!r}"
            )
        assert tok.decode(ids) == piece
