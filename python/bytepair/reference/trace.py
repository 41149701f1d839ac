"""Every step of encoding, as data.

Adds eyes to the tokenizer: the same steps in the same order, each of them yielded. `encode` is the
judge: the ids of the `Special` and `Done` steps are what it returns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from bytepair.reference.bpe import to_bytes
from bytepair.reference.pretokenize import split
from bytepair.reference.special import split_special
from bytepair.reference.tokenizer import PatternTokenizer, merge_steps


class Special(NamedTuple):
    """A special token was found."""

    token: bytes
    id: int


class Text(NamedTuple):
    """A stretch of ordinary text between special tokens, as given and as normalized."""

    data: bytes
    normalized: bytes


class Pretoken(NamedTuple):
    """The pattern cut this pretoken; it starts as its bytes, or is a token `whole`."""

    data: bytes
    whole: bool


class Merge(NamedTuple):
    """The pair at `position` was merged; `tokens` is the pretoken after it."""

    pair: tuple[bytes, bytes]
    rank: int
    position: int
    tokens: list[bytes]


class Done(NamedTuple):
    """No merge is left in the pretoken."""

    tokens: list[bytes]
    ids: list[int]


Step = Special | Text | Pretoken | Merge | Done


def trace(
    tokenizer: PatternTokenizer, text: str | bytes, allowed_special: Collection[str] = ()
) -> Iterator[Step]:
    """Yields the steps of `tokenizer.encode(text, allowed_special)`."""
    allowed = tokenizer.allowed(allowed_special)
    token_ids = tokenizer.ids
    for piece, is_special in split_special(to_bytes(text), allowed):
        if is_special:
            yield Special(piece, tokenizer.special_tokens[piece.decode()])
            continue
        normalized = tokenizer.normalize(piece)
        yield Text(piece, normalized)
        for pretoken in split(tokenizer.pattern, normalized):
            yield from trace_pretoken(tokenizer, token_ids, pretoken)


def trace_pretoken(
    tokenizer: PatternTokenizer, token_ids: dict[bytes, int], pretoken: bytes
) -> Iterator[Step]:
    whole = tokenizer.whole and pretoken in token_ids
    yield Pretoken(pretoken, whole)
    tokens = [pretoken] if whole else [bytes([byte]) for byte in pretoken]
    for rank, at, merged in () if whole else merge_steps(pretoken, tokenizer.rank_of):
        yield Merge((tokens[at], tokens[at + 1]), rank, at, merged)
        tokens = merged
    yield Done(tokens, [token_ids[token] for token in tokens])
