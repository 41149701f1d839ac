"""The first merges of a tokenizer as a tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bytepair.errors import VocabError

if TYPE_CHECKING:
    from bytepair.tokenizer import Tokenizer

__all__ = ["first_merges"]

Merge = tuple[bytes, bytes]


def first_merges(tokenizer: Tokenizer, size: int) -> tuple[list[Merge], dict[int, bytes]]:
    """The merges and the tokens that ``tokenizer`` has when ``size`` tokens are left of it.

    All tokens that no merge makes are kept, special ones among them; then as many merges, first
    ones first, as bring the tokens to ``size``.
    """
    merges = tokenizer.merges
    special = set(tokenizer.special_tokens.values())
    vocab = {id: token for id, token in tokenizer.vocab.items() if id not in special}
    made = {left + right for left, right in merges}
    kept_tokens = {token for token in vocab.values() if token not in made}
    smallest = len(kept_tokens) + len(special)
    if not smallest <= size <= len(tokenizer):
        raise VocabError(
            f"size `{size}`: this tokenizer can have {smallest} (no merges) to "
            f"{len(tokenizer)} tokens"
        )
    kept: list[Merge] = []
    for left, right in merges:
        # A token may have several merges: those after its first one add nothing to the size.
        if len(kept_tokens) + len(special) == size and left + right not in kept_tokens:
            break
        kept_tokens.add(left + right)
        kept.append((left, right))
    return kept, {id: token for id, token in vocab.items() if token in kept_tokens}
