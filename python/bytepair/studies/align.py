"""Adding in columns needs units under units; tokens do not keep to columns."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate

from bytepair.protocol import TokenizerLike
from bytepair.studies.digits import shape
from bytepair.studies.study import Chart, Study, Table, by_name, cut
from bytepair.studies.subjects import Tokenizers, bundled

__all__ = ["RIGHT_TO_LEFT", "run"]

SUM = "12345 + 67890"
FIVE_DIGITS = range(10_000, 100_000)
# The pattern of cl100k with digits grouped in threes from the right: 1|234|567.
RIGHT_TO_LEFT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """Why do digits not line up in a sum?"""
    tokenizers = tokenizers or bundled()
    with_right = {**tokenizers, "cl100k_base, right to left": right_to_left()}
    shapes = {name: shapes_of_five_digits(tok) for name, tok in with_right.items()}
    aligned = {name: aligned_share(tok) for name, tok in with_right.items()}
    common = [each for each, _ in sum(shapes.values(), Counter()).most_common(6)]
    first, counts = next(iter(shapes.items()))
    most = " and ".join(f"{count:,} as {each}" for each, count in counts.most_common(2))
    return Study(
        name="align",
        question=run.__doc__ or "",
        findings=(
            f"{first} cuts `{SUM}` into {cut(tokenizers[first], SUM)}.",
            f"Of the {len(FIVE_DIGITS):,} numbers of five digits {first} cuts {most}; it has "
            f"{len(counts)} ways in all.",
            "A number of five digits and one of four are cut at the same places, counted from the "
            "units, in "
            + by_name({name: other for name, (_, other) in aligned.items()}, ".0f")
            + " per cent of pairs: groups of a size from the left put them out of step, groups "
            "from the right and single digits do not.",
        ),
        tables=(
            Table(
                "the sum",
                ("tokenizer", "cut into"),
                [(name, cut(tok, SUM)) for name, tok in with_right.items()],
            ),
            Table(
                "numbers of five digits, by where they are cut",
                ("tokenizer", *common, "others"),
                [
                    (name, *(count[c] for c in common), sum(count.values()) - in_all(count, common))
                    for name, count in shapes.items()
                ],
            ),
            Table(
                "pairs of numbers whose cuts fall on the same places",
                ("tokenizer", "of the same length (%)", "of different lengths (%)"),
                [(name, *shares) for name, shares in aligned.items()],
                digits={"of the same length (%)": 1, "of different lengths (%)": 1},
                note="Places are counted from the units; a cut that only the longer number can "
                "have does not count.",
            ),
        ),
        charts=(
            Chart(
                "How numbers of five digits are cut",
                "bar",
                "lengths of the pieces",
                "numbers",
                {name: [(c, count[c]) for c in common] for name, count in shapes.items()},
            ),
        ),
    )


def shapes_of_five_digits(tokenizer: TokenizerLike) -> Counter[str]:
    lengths: dict[int, str] = {}
    shapes: Counter[str] = Counter()
    for number in FIVE_DIGITS:
        ids = tokenizer.encode(str(number))
        for id in ids:
            if id not in lengths:
                lengths[id] = str(len(tokenizer.token_bytes(id)))
        shapes["+".join([lengths[id] for id in ids])] += 1
    return shapes


def in_all(count: Counter[str], shapes: list[str]) -> int:
    return sum(count[each] for each in shapes)


def right_to_left() -> TokenizerLike:
    """The vocabulary of cl100k_base with another pattern."""
    from bytepair.formats import load
    from bytepair.tokenizer import Tokenizer

    cl100k = load("cl100k_base")
    ranks = {token: id for id, token in cl100k.vocab.items()}
    return Tokenizer.from_ranks(ranks, pattern=RIGHT_TO_LEFT)


def cuts(tokenizer: TokenizerLike, number: int) -> frozenset[int]:
    """Where a number is cut, in places from the units."""
    pieces = map(int, shape(tokenizer, str(number)).split("+"))
    return frozenset(len(str(number)) - at for at in accumulate(pieces)) - {0}


def aligned_share(tokenizer: TokenizerLike) -> tuple[float, float]:
    """The share of pairs, in per cent, whose cuts agree: of two numbers of five digits, and of one
    of five and one of four. The numbers are spread evenly, each met by one far from it."""
    fives = [cuts(tokenizer, number) for number in range(10_000, 100_000, 89)]
    fours = [cuts(tokenizer, number) for number in range(1_000, 10_000, 7)]
    half = len(fives) // 2
    same = [a == b for a, b in zip(fives, fives[half:] + fives[:half], strict=True)]
    pairs = list(zip(fives, fours, strict=False))
    other = [frozenset(place for place in a if place < 4) == b for a, b in pairs]
    return 100 * sum(same) / len(same), 100 * sum(other) / len(other)
