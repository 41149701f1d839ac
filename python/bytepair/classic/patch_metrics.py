"""What patches are like, in numbers, for patches and for tokens alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from bytepair.classic.base import as_bytes, as_text
from bytepair.classic.entropy import EntropyPatcher
from bytepair.protocol import TokenizerLike

__all__ = ["PatchReport", "boundary_f1", "first_change", "patch_report", "premiums", "rising_share"]


def boundaries(tokenizer: TokenizerLike, text: str | bytes) -> list[int]:
    """Where pieces begin, in bytes, without the first; ``ValueError`` if they are not the text."""
    sizes = [len(tokenizer.token_bytes(id)) for id in tokenizer.encode(text)]
    if sum(sizes) != len(as_bytes(text)):
        raise ValueError(f"`{tokenizer.name}` loses a part of the text, so its cuts have no place")
    return list(accumulate(sizes))[:-1]


@dataclass(frozen=True)
class PatchReport:
    """Sizes are in bytes, shares in per cent."""

    patches: int
    mean: float
    median: float
    percentile_95: float
    #: Of the cuts between patches: inside a character; at the beginning of a word, which is where a
    #: letter or digit follows what is neither.
    inside_characters: float
    at_word_starts: float


def patch_report(tokenizer: TokenizerLike, text: str) -> PatchReport:
    """The sizes of the pieces of a text, and where it is cut.

    >>> from bytepair.classic import StridePatcher
    >>> report = patch_report(StridePatcher(4), "ab cd 世")
    >>> report.patches, report.mean, report.inside_characters
    (3, 3.0, 50.0)
    """
    text = as_text(text)
    data = text.encode()
    ends = boundaries(tokenizer, text)
    sizes = np.diff([0, *ends, len(data)]) if data else np.zeros(0)
    inside = sum(data[at] & 0b1100_0000 == 0b1000_0000 for at in ends)
    starts = word_starts(text)
    return PatchReport(
        patches=len(sizes),
        mean=float(sizes.mean()) if len(sizes) else 0.0,
        median=float(np.median(sizes)) if len(sizes) else 0.0,
        percentile_95=float(np.percentile(sizes, 95)) if len(sizes) else 0.0,
        inside_characters=100 * inside / len(ends) if ends else 0.0,
        at_word_starts=100 * sum(at in starts for at in ends) / len(ends) if ends else 0.0,
    )


def word_starts(text: str) -> set[int]:
    """In bytes, where a letter or digit follows what is neither."""
    found, at, before = set(), 0, False
    for character in text:
        here = character.isalnum()
        if here and not before:
            found.add(at)
        at += len(character.encode())
        before = here
    return found


def boundary_f1(one: TokenizerLike, other: TokenizerLike, text: str | bytes) -> float:
    """How far two agree on where to cut: 2 · shared cuts / all cuts of both; 1 if neither cuts.

    >>> from bytepair.classic import StridePatcher
    >>> boundary_f1(StridePatcher(2), StridePatcher(4), "abcdefgh")
    0.5
    """
    a, b = set(boundaries(one, text)), set(boundaries(other, text))
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def first_change(
    tokenizer: TokenizerLike, text: bytes, ends: Iterable[int] | None = None
) -> int | None:
    """Whether the cuts of a beginning stay when the text goes on (they do for patches, and not for
    BPE): the first of ``ends`` at which the beginning is cut otherwise than in the whole, or none.

    >>> from bytepair.classic import SpacePatcher
    >>> first_change(SpacePatcher(), b"a fantasy epic") is None
    True
    """
    whole = boundaries(tokenizer, text)
    for end in range(len(text) + 1) if ends is None else ends:
        if boundaries(tokenizer, text[:end]) != [at for at in whole if at < end]:
            return end
    return None


def rising_share(patcher: EntropyPatcher, text: str | bytes, threshold: float) -> float:
    """The share of patches, in per cent, inside which the entropy somewhere rises by more than
    ``threshold`` nats: none by the monotonic rule at its own threshold."""
    entropies = patcher.entropies(text)
    rises = np.diff(entropies, prepend=entropies[:1]) > threshold
    starts = np.array(patcher.starts(text), dtype=np.int64)
    rises[starts] = False
    if not len(starts):
        return 0.0
    return 100 * float(np.logical_or.reduceat(rises, starts).mean())


def premiums(
    tokenizer: TokenizerLike, texts: Mapping[str, str], reference: str
) -> dict[str, float]:
    """The pieces of each text relative to those of the ``reference``, whose content is the same."""
    counts = {name: len(tokenizer.encode(text)) for name, text in texts.items()}
    return {name: count / counts[reference] for name, count in counts.items()}
