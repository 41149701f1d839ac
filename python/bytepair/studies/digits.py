"""Numbers are cut where their digits were frequent together, or after a fixed number of them."""

from __future__ import annotations

from collections import Counter

from bytepair.protocol import TokenizerLike
from bytepair.studies.study import Chart, Study, Table, by_name, cut
from bytepair.studies.subjects import Tokenizers, bundled

__all__ = ["run", "shape", "single_tokens"]

SAMPLES = ("12345", "123456789", "2024", "1999", "3.14159")
LARGEST_WHOLE = 1_000


def shape(tokenizer: TokenizerLike, text: str) -> str:
    """The lengths of the pieces, as in ``3+2``."""
    return "+".join(str(len(tokenizer.token_bytes(id))) for id in tokenizer.encode(text))


def single_tokens(tokenizer: TokenizerLike, below: int) -> int:
    """How many of the integers from 0 on are one token."""
    return sum(len(tokenizer.encode(str(number))) == 1 for number in range(below))


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """How are numbers cut?"""
    tokenizers = tokenizers or bundled()
    whole = {name: single_tokens(tok, LARGEST_WHOLE) for name, tok in tokenizers.items()}
    mean = {
        name: sum(len(tok.encode(str(n))) for n in range(1000, 10_000)) / 9000
        for name, tok in tokenizers.items()
    }
    singly = [
        name for name, tok in tokenizers.items() if shape(tok, "123456789") == "+".join("1" * 9)
    ]
    threes = [name for name, tok in tokenizers.items() if shape(tok, "123456789") == "3+3+3"]
    return Study(
        name="digits",
        question=run.__doc__ or "",
        findings=(
            f"123456789 is cut in threes from the left by {listed(threes)}, singly by "
            f"{listed(singly)}"
            + (
                "; the others cut it where their training text had it."
                if len(threes) + len(singly) < len(tokenizers)
                else "."
            ),
            f"Of the {LARGEST_WHOLE:,} first integers " + by_name(whole, ",") + " are one token.",
        ),
        tables=(
            Table(
                "some numbers",
                ("tokenizer", *SAMPLES),
                [(name, *(cut(tok, s) for s in SAMPLES)) for name, tok in tokenizers.items()],
            ),
            Table(
                "how many are one token",
                ("tokenizer", "below 1,000", "mean tokens of 1000 to 9999"),
                [(name, whole[name], mean[name]) for name in tokenizers],
                digits={"mean tokens of 1000 to 9999": 4},
            ),
            lengths_table(tokenizers),
        ),
        charts=(
            Chart(
                "Tokens of a number by its number of digits",
                "line",
                "digits",
                "tokens",
                {name: by_length(tok) for name, tok in tokenizers.items()},
            ),
        ),
    )


def listed(names: list[str]) -> str:
    return ", ".join(names) or "none"


def by_length(tokenizer: TokenizerLike) -> list[tuple[int, float]]:
    """Mean tokens of numbers of each length: a hundred of each, spread evenly."""
    points = []
    for digits in range(1, 13):
        step = max(9 * 10 ** (digits - 1) // 100, 1)
        numbers = range(10 ** (digits - 1), 10**digits, step)
        tokens = sum(len(tokenizer.encode(str(number))) for number in numbers)
        points.append((digits, tokens / len(numbers)))
    return points


def lengths_table(tokenizers: Tokenizers) -> Table:
    """The tokens of a vocabulary that are digits alone, by their length."""
    counts = {}
    for name, tok in tokenizers.items():
        vocab = getattr(tok, "vocab", {})
        counts[name] = Counter(len(t) for t in vocab.values() if t.isdigit())
    lengths = sorted({length for count in counts.values() for length in count})
    columns = ("tokenizer", *(f"{n} digits" if n > 1 else "1 digit" for n in lengths))
    rows = [(name, *(count.get(n) for n in lengths)) for name, count in counts.items()]
    return Table("tokens that are digits alone", columns, rows)
