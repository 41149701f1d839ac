"""Will it fit? Counts the tokens of a text for several models, and cuts it to a budget."""

from __future__ import annotations

import bytepair

TEXT = "The quick brown fox jumps over the lazy dog. 敏捷的棕色狐狸跳过了那只懒狗。\n" * 20
BUDGET = 100

for name in ("gpt2", "cl100k_base", "o200k_base", "qwen2.5"):
    tok = bytepair.load(name)
    kept = tok.truncate(TEXT, BUDGET)
    pieces = tok.chunks(TEXT, BUDGET, overlap=10)
    assert tok.count(kept) <= BUDGET
    assert all(tok.fits(piece, BUDGET) for piece in pieces)
    print(
        f"{name:12} {tok.count(TEXT):5} tokens; the first {BUDGET} hold {len(kept)} of "
        f"{len(TEXT)} characters; {len(pieces)} chunks with an overlap of 10"
    )
