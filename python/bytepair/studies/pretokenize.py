"""What BPE learns if nothing is cut before it merges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bytepair.studies.study import Cell, Chart, Cut, Study, Table, cut
from bytepair.texts import read

if TYPE_CHECKING:
    from bytepair.tokenizer import Tokenizer

__all__ = ["crosses", "mixes", "run"]

DOGS = "The dog. A dog! My dog? Your dog, his dog; our dog: no dog. Good dog! Which dog? " * 20
GREETING = "hello world, hello python, hello AI! It is a beautiful world."
SMALL, LARGE = 256 + 24, 256 + 1000
SHOWN, SHOWN_BYTES = 12, 60


def crosses(token: bytes) -> bool:
    """Whether it goes over the end of a word: a blank between two letters.

    >>> crosses(b"of the"), crosses(b" the")
    (True, False)
    """
    text = token.decode("utf-8", "replace")
    inner = text.strip()
    return any(c.isspace() for c in inner)


def mixes(token: bytes) -> bool:
    """Whether letters and marks of punctuation are in one token.

    >>> mixes(b"dog."), mixes(b" dog")
    (True, False)
    """
    text = token.decode("utf-8", "replace")
    letters = any(c.isalpha() for c in text)
    return letters and any(not c.isalnum() and not c.isspace() and c != "\\ufffd" for c in text)


def run(*, text: str | None = None) -> Study:
    """Why is text cut before it is merged?"""
    from bytepair.training import train

    text = read("corpus.en") if text is None else text
    if not text:
        raise ValueError("the text is empty")
    dogs = {how: train([DOGS], SMALL, pattern=p) for how, p in (("uncut", None), ("cut", "gpt2"))}
    known, held_out = parts(text)
    real = {how: train([known], LARGE, pattern=p) for how, p in (("uncut", None), ("cut", "gpt2"))}
    greeting = train([GREETING], 270, pattern=None, ties="first")
    with_dog = {
        how: [t for t in tok.vocab.values() if b"dog" in t and len(t) > 1]
        for how, tok in dogs.items()
    }
    wasted = {
        how: sum(mixes(t) or crosses(t) for t in tok.vocab.values()) for how, tok in real.items()
    }
    merges = {how: len(tok.merges) for how, tok in real.items()}
    return Study(
        name="pretokenize",
        question=run.__doc__ or "",
        findings=(
            f"Without cuts {len(with_dog['uncut'])} of {len(dogs['uncut'].merges)} tokens hold "
            f"`dog` with what stands around it; with them {len(with_dog['cut'])} do.",
            f"On the larger text {wasted['uncut']:,} of {merges['uncut']:,} uncut tokens cross the "
            "end of a word or mix letters with punctuation, against "
            f"{wasted['cut']:,} of {merges['cut']:,}.",
            "That makes the text that was trained on "
            f"{100 * (1 - ratio(real['uncut'], real['cut'], known)):.1f} % shorter, and text that "
            f"comes after it {100 * (1 - ratio(real['uncut'], real['cut'], held_out)):.1f} %.",
            f"A phrase that repeats becomes a token: {longest(greeting)!r} of a text that says "
            "hello three times.",
        ),
        tables=(
            dog_table(with_dog),
            Table(
                "one text, trained with cuts and without",
                (
                    "pretokens",
                    "merges",
                    "tokens of the text",
                    "of text after it",
                    "cross words",
                    "mix with punctuation",
                ),
                [counts_of(how, tok, known, held_out) for how, tok in real.items()],
            ),
            Table(
                "the longest tokens",
                ("pretokens", "bytes", "the longest begins"),
                [
                    (how, len(longest_token(tok)), Cut((longest_token(tok)[:SHOWN_BYTES],)))
                    for how, tok in real.items()
                ],
            ),
            Table(
                "dogs, encoded",
                ("pretokens", *(f"no dog{mark} " for mark in ".!?")),
                [
                    (how, *(cut(tok, f" no dog{mark} ") for mark in ".!?"))
                    for how, tok in dogs.items()
                ],
            ),
        ),
        charts=(
            Chart(
                f"Tokens of {merges['uncut']:,} that say little new",
                "bar",
                "tokens that",
                "tokens",
                {
                    how: [
                        ("cross words", sum(crosses(t) for t in tok.vocab.values())),
                        ("mix with punctuation", sum(mixes(t) for t in tok.vocab.values())),
                    ]
                    for how, tok in real.items()
                },
            ),
        ),
    )


def ratio(one: Tokenizer, other: Tokenizer, text: str) -> float:
    """Tokens of the one to tokens of the other; 1 for no text."""
    return one.count(text) / other.count(text) if text else 1.0


def dog_table(with_dog: Mapping[str, list[bytes]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (how, len(tokens), Cut(tuple(tokens[:SHOWN]))) for how, tokens in with_dog.items()
    ]
    return Table("tokens that hold `dog`", ("pretokens", "tokens", "such as"), rows)


def parts(text: str) -> tuple[str, str]:
    """What is trained on, and what comes after it: the last tenth of the lines."""
    lines = text.splitlines(keepends=True)
    at = len(lines) - len(lines) // 10
    return "".join(lines[:at]), "".join(lines[at:])


def counts_of(how: str, tokenizer: Tokenizer, known: str, held_out: str) -> tuple[Cell, ...]:
    vocab = tokenizer.vocab.values()
    return (
        how,
        len(tokenizer.merges),
        tokenizer.count(known),
        tokenizer.count(held_out),
        sum(map(crosses, vocab)),
        sum(map(mixes, vocab)),
    )


def longest_token(tokenizer: Tokenizer) -> bytes:
    return max(tokenizer.vocab.values(), key=lambda token: (len(token), token))


def longest(tokenizer: Tokenizer) -> str:
    return longest_token(tokenizer).decode("utf-8", "replace")
