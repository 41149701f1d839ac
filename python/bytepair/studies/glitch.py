"""Tokens that a model was hardly taught, looked for in the table alone.

The rank-gap rule: a token that is a part of exactly one later merge, and of one that came right
after it, was eaten by that merge at once. In the text that the table was made from it hardly stands
alone, and in the text of the model perhaps never. Such tokens are candidates; a proof needs the
model's weights (Land and Bartolo, 2024).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from bytepair.protocol import Inspectable
from bytepair.studies.study import Chart, Cut, Study, Table, by_name, cut
from bytepair.studies.subjects import Tokenizers, bundled

__all__ = ["Candidate", "candidates", "run"]

KNOWN = " SolidGoldMagikarp"
CHOSEN = ("gpt2", "cl100k_base", "o200k_base")
GAPS = (1, 10, 100)
#: Shorter tokens are eaten for other reasons.
SHORTEST = 5


@dataclass(frozen=True)
class Candidate:
    """A token, and the only merge that it is a part of; ``gap`` is the distance of their ids."""

    id: int
    token: bytes
    whole: bytes
    gap: int


def candidates(tokenizer: Inspectable, gap: int, shortest: int = SHORTEST) -> list[Candidate]:
    """The tokens of at least ``shortest`` bytes that are a part of one merge alone, whose id is at
    most ``gap`` higher; by id.

    >>> import bytepair
    >>> found = candidates(bytepair.load("gpt2"), gap=1)
    >>> len(found), found[1].token, found[1].whole
    (12, b' externalToEVA', b' externalToEVAOnly')
    """
    ids = {token: id for id, token in tokenizer.vocab.items()}
    wholes: dict[bytes, list[bytes]] = defaultdict(list)
    for left, right in tokenizer.merges:
        for part in {left, right}:
            wholes[part].append(left + right)
    found = []
    for part, made in wholes.items():
        if len(made) == 1 and len(part) >= shortest:
            distance = ids[made[0]] - ids[part]
            if 0 < distance <= gap:
                found.append(Candidate(ids[part], part, made[0], distance))
    return sorted(found, key=lambda candidate: candidate.id)


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """Which tokens has a model hardly seen?"""
    tokenizers = tokenizers or bundled(*CHOSEN)
    merging = {name: tok for name, tok in tokenizers.items() if isinstance(tok, Inspectable)}
    widest = {name: candidates(tok, GAPS[-1]) for name, tok in merging.items()}
    counts = {
        name: [sum(each.gap <= gap for each in found) for gap in GAPS]
        for name, found in widest.items()
    }
    single = [name for name, tok in tokenizers.items() if len(tok.encode(KNOWN)) == 1]
    return Study(
        name="glitch",
        question=run.__doc__ or "",
        findings=(
            f"`{KNOWN}` is one token of {', '.join(single) or 'none'}: the name of a user whom the "
            "text of the table knew and the text of the model did not.",
            f"Tokens of at least {SHORTEST} bytes that the very next merge used up: "
            + by_name({name: by[0] for name, by in counts.items()})
            + ". They are candidates, found without the model.",
        ),
        tables=(known_table(tokenizers), *(table_of(n, found) for n, found in widest.items())),
        charts=(
            Chart(
                "Candidates by the gap between a token and its only merge",
                "bar",
                "gap of ids, at most",
                "tokens",
                {
                    name: [(str(g), n) for g, n in zip(GAPS, by, strict=True)]
                    for name, by in counts.items()
                },
            ),
        ),
    )


def known_table(tokenizers: Tokenizers) -> Table:
    rows = [(name, len(tok.encode(KNOWN)), cut(tok, KNOWN)) for name, tok in tokenizers.items()]
    return Table(f"the text {KNOWN}", ("tokenizer", "tokens", "cut into"), rows)


def table_of(name: str, found: list[Candidate]) -> Table:
    rows = [
        (each.id, Cut((each.token,)), Cut((each.whole,)), each.gap)
        for each in found
        if each.gap <= GAPS[1]
    ]
    return Table(
        f"{name}: tokens that one of the next {GAPS[1]} merges used up",
        ("id", "token", "its only use", "ids apart"),
        rows,
        note="A hint and no proof: ordinary fragments are among them, and a glitch token whose use "
        "came later is not.",
    )
