"""What a larger vocabulary buys: bytes per token, on text that was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from bytepair.protocol import TokenizerLike
from bytepair.studies.study import Chart, Study, Table
from bytepair.texts import read

if TYPE_CHECKING:
    from bytepair.classic import Classic

__all__ = ["run"]

SIZES = (512, 1024, 2048, 4096)
TRAINED_ON = 0.9

#: (vocabulary, bytes per token, share of unknown tokens in per cent)
Point = tuple[int, float, float]


def run(*, text: str | None = None) -> Study:
    """What does a larger vocabulary buy?"""
    text = read("corpus.en") if text is None else text
    at = text.rfind("\n", 0, int(len(text) * TRAINED_ON)) + 1
    known, held_out = text[:at], text[at:]
    if not known or not held_out:
        raise ValueError("the text needs at least two lines: one to train on, one held out")
    points = {
        "bytes": [(256, 1.0, 0.0)],
        "characters": characters(known, held_out),
        "words": words(known, held_out),
        "BPE on characters": char_bpe(known, held_out),
        "BPE on bytes": byte_bpe(known, held_out),
    }
    best = points["BPE on bytes"]
    gains = [after[1] - before[1] for before, after in pairwise(best)]
    lost = points["words"][-1]
    return Study(
        name="compression",
        question=run.__doc__ or "",
        findings=(
            f"BPE on bytes goes from {best[0][1]:.2f} bytes per token at {best[0][0]:,} tokens to "
            f"{best[-1][1]:.2f} at {best[-1][0]:,}, and nothing is ever unknown.",
            "Each doubling of its vocabulary adds "
            + (", ".join(f"{gain:.2f}" for gain in gains) or "nothing that this text shows")
            + " bytes per token.",
            f"Words look better, {lost[1]:.2f} bytes per token at {lost[0]:,}, because "
            f"{lost[2]:.1f} % of the held-out words are unknown and lost.",
        ),
        tables=(
            Table(
                "text that was not trained on",
                ("tokens are", "vocabulary", "bytes per token", "unknown (%)"),
                [(kind, *point) for kind, each in points.items() for point in each],
                note=f"Trained on the first {len(known.encode()):,} bytes, measured on the "
                f"{len(held_out.encode()):,} after them.",
            ),
        ),
        charts=(
            Chart(
                "Bytes per token on held-out text",
                "line",
                "vocabulary",
                "bytes per token",
                {
                    kind + (" (unknown ones lost)" if kind == "words" else ""): [
                        (size, rate) for size, rate, _ in each
                    ]
                    for kind, each in points.items()
                },
                log_x=True,
            ),
        ),
    )


def rate(tokenizer: TokenizerLike, text: str) -> float:
    return len(text.encode()) / len(tokenizer.encode(text))


def point(tokenizer: Classic, held_out: str) -> Point:
    return len(tokenizer), rate(tokenizer, held_out), 100 * tokenizer.unknown_rate(held_out)


def characters(known: str, held_out: str) -> list[Point]:
    from bytepair.classic import CharTokenizer

    tok = CharTokenizer.build([known])
    return [point(tok, held_out)]


def words(known: str, held_out: str) -> list[Point]:
    from bytepair.classic import WordTokenizer

    return [point(WordTokenizer.build([known], size=size), held_out) for size in SIZES]


def char_bpe(known: str, held_out: str) -> list[Point]:
    from bytepair.classic import CharBPETokenizer

    whole = CharBPETokenizer.train([known], merges=SIZES[-1])
    alphabet = len(whole) - len(whole.merges)
    sizes = sizes_up_to(len(whole))
    return [point(whole.truncated(size - alphabet), held_out) for size in sizes]


def byte_bpe(known: str, held_out: str) -> list[Point]:
    """One training gives every smaller vocabulary: its merges are the first of the large one."""
    from bytepair.training import train

    whole = train([known], SIZES[-1])
    return [(size, rate(whole.truncated(size), held_out), 0.0) for size in sizes_up_to(len(whole))]


def sizes_up_to(most: int) -> Sequence[int]:
    return [size for size in SIZES if size <= most] or [most]
