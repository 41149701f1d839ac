"""An encoder must merge in the order of learning; the most frequent pair first is another order.

The other order, which many who write an encoder try first: of the pairs in the pretoken at hand
that the table can merge, take the one that occurs most often *in it*, the first among equals. Both
end in tokens of the table, and both decode to the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from bytepair.studies.study import Chart, Cut, Study, Table
from bytepair.texts import read

__all__ = ["most_frequent_first", "run"]

END = "<|endoftext|>"
VOCAB_SIZE = 500
SHOWN = 8

Merges = Mapping[tuple[int, int], int]


def most_frequent_first(ids: list[int], merges: Merges) -> list[int]:
    """The ids after merging, again and again, the most frequent pair among them.

    >>> most_frequent_first([1, 2, 3, 1, 2], {(2, 3): 4, (1, 2): 5})
    [5, 3, 5]
    """
    from bytepair.reference.bpe import merge

    while True:
        counts = Counter(pair for pair in pairwise(ids) if pair in merges)
        if not counts:
            return ids
        pair = max(counts, key=counts.__getitem__)
        ids = merge(ids, pair, merges[pair])


class Difference(NamedTuple):
    """A pretoken that the two orders cut otherwise, and how often it occurs."""

    pretoken: bytes
    occurs: int
    right: list[int]
    wrong: list[int]


def run(*, text: str | None = None) -> Study:
    """Does it matter in which order the merges are applied?"""
    from bytepair.training import train

    text = read("corpus.en") if text is None else text
    if not text:
        raise ValueError("the text is empty")
    tok = train([text], VOCAB_SIZE, special_tokens=[END], pattern="gpt2")
    ids = {token: id for id, token in tok.vocab.items()}
    merges = {(ids[left], ids[right]): ids[left + right] for left, right in tok.merges}
    pretokens = Counter(tok.pretokens(text))
    right_total = wrong_total = 0
    differences = []
    for pretoken, count in pretokens.items():
        right = tok.encode(pretoken)
        wrong = most_frequent_first([ids[bytes([byte])] for byte in pretoken], merges)
        right_total += len(right) * count
        wrong_total += len(wrong) * count
        if right != wrong:
            differences.append(Difference(pretoken, count, right, wrong))
    more = 100 * (wrong_total / right_total - 1) if right_total else 0.0
    differences.sort(key=lambda each: -each.occurs)

    def as_cut(ids: list[int]) -> Cut:
        return Cut(tuple(tok.token_bytes(id) for id in ids))

    return Study(
        name="merge-order",
        question=run.__doc__ or "",
        findings=(
            f"Merging the most frequent pair first cuts {len(differences):,} of {len(pretokens):,} "
            f"different pretokens otherwise and costs {more:.1f} % more tokens.",
            "Each of the two gives tokens of the same table and decodes to the text: nothing but "
            "the ids shows which one is wrong. The model was trained on the order of learning.",
        ),
        tables=(
            Table(
                "the same merges in two orders",
                ("order", "tokens", "pretokens cut otherwise"),
                [
                    ("of learning", right_total, 0),
                    ("most frequent pair first", wrong_total, len(differences)),
                ],
            ),
            Table(
                "the most frequent pretokens that differ",
                ("pretoken", "occurs", "in the order of learning", "most frequent first"),
                [
                    (
                        repr(d.pretoken.decode("utf-8", "replace")),
                        d.occurs,
                        as_cut(d.right),
                        as_cut(d.wrong),
                    )
                    for d in differences[:SHOWN]
                ],
            ),
        ),
        charts=(
            Chart(
                "Tokens of the text by the order of merging",
                "bar",
                "order",
                "tokens",
                {
                    "tokens": [
                        ("of learning", right_total),
                        ("most frequent pair first", wrong_total),
                    ]
                },
            ),
        ),
    )
