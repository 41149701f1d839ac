"""How the ids of many texts are compared, and a difference is told."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import pytest
import tokenizers
import unicodedata2
from hard_alphabets import described
from tally import Tally

from bytepair import Ragged

SHOWN = 5


def compare(
    texts: Sequence[str],
    ours: Ragged,
    theirs: Sequence[Sequence[int]],
    tally: Tally,
    again: Callable[[str], list[int] | None] = lambda text: None,
) -> None:
    """Fails with the first texts that the judge gives other ids.

    `again` asks the judge once more about a text with other ids: a judge with a known fault of
    its own may have another answer where the fault is kept out of its way.
    """
    tally.add(texts)
    lengths = np.fromiter(map(len, theirs), np.int64, len(texts))
    flat = np.fromiter(itertools.chain.from_iterable(theirs), np.uint32, lengths.sum())
    if np.array_equal(np.diff(ours.offsets), lengths) and np.array_equal(ours.ids, flat):
        return
    wrong = []
    for i, text in enumerate(texts):
        ids = ours.ids[ours.offsets[i] : ours.offsets[i + 1]].tolist()
        if ids == list(theirs[i]):
            continue
        if ids == again(text):
            tally.asked_again += 1
        else:
            wrong.append(f"{text!r} ({described(text)})\n  ours   {ids}\n  judge  {theirs[i]}")
    if wrong:
        first = "\n".join(wrong[:SHOWN])
        pytest.fail(f"{len(wrong):,} of {len(texts):,} texts have other ids:\n{first}")


def huggingface_ids(judge: tokenizers.Tokenizer, texts: Sequence[str]) -> list[list[int]]:
    return [e.ids for e in judge.encode_batch_fast(list(texts), add_special_tokens=False)]


def with_nfc_of_unicode_16(judge: tokenizers.Tokenizer) -> Callable[[str], list[int] | None]:
    """The ids of tokenizers where its own NFC, which is of Unicode 9, differs from that of
    Unicode 16: what it gives for the text in NFC, itself normalizing nothing."""

    def ids(text: str) -> list[int] | None:
        normalizer, nfc = judge.normalizer, unicodedata2.normalize("NFC", text)
        if normalizer is None or normalizer.normalize_str(text) == nfc:
            return None
        judge.normalizer = None
        try:
            return judge.encode(nfc, add_special_tokens=False).ids
        finally:
            judge.normalizer = normalizer

    return ids
