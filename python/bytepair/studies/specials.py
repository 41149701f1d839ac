"""The mark between documents, kept out of training or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bytepair.studies.study import Cell, Chart, Cut, Study, Table
from bytepair.texts import read

if TYPE_CHECKING:
    from bytepair.tokenizer import Tokenizer

__all__ = ["run"]

END = "<|endoftext|>"
MERGES = 500
SHOWN = 12
#: What of the mark tells its pieces from ordinary text.
BARS = (b"<|", b"|>", b"|")


def run(*, text: str | None = None) -> Study:
    """What does training learn of a special token that it was not told of?"""
    from bytepair.training import train

    lines = [line for line in (read("corpus.en") if text is None else text).splitlines() if line]
    if len(lines) < 2:
        raise ValueError("the text needs at least two lines: each is a document of its own")
    document = END.join(lines)
    told = train([document], 256 + 1 + MERGES, special_tokens=[END])
    untold = train([document], 256 + MERGES)
    uncut = train([document], 256 + MERGES, pattern=None)
    kinds = {"kept out": told, "not told": untold, "not told, uncut": uncut}
    pieces = {how: [t for t in tok.vocab.values() if is_piece(t)] for how, tok in kinds.items()}
    across = {
        how: [t for t in tok.vocab.values() if END.encode() in t and t != END.encode()]
        for how, tok in kinds.items()
    }
    costs = {how: len(tok.encode(END, allowed_special="all")) for how, tok in kinds.items()}
    return Study(
        name="specials",
        question=run.__doc__ or "",
        findings=(
            f"Not told of `{END}`, training spends {len(pieces['not told'])} of {MERGES} merges on "
            f"its pieces; told of it, {len(pieces['kept out'])}.",
            f"Without cuts before merging, {len(across['not told, uncut'])} tokens hold the whole "
            "mark and a part of the document beside it, so that its end depends on its last word.",
            f"The mark is {costs['kept out']} token where it is a special one, {costs['not told']} "
            "where it is text.",
        ),
        tables=(
            Table(
                f"{MERGES} merges on documents with {END} between them",
                (
                    "the mark is",
                    "tokens with a piece of it",
                    "tokens of the mark and a document",
                    "tokens of it",
                ),
                [(how, len(pieces[how]), len(across[how]), costs[how]) for how in kinds],
            ),
            shown_table("tokens with a piece of the mark", pieces),
            shown_table("tokens of the mark and a document", across),
            Table(
                "the end of one document and the beginning of the next",
                ("the mark is", "cut into"),
                [(how, around_the_mark(tok, document)) for how, tok in kinds.items()],
            ),
        ),
        charts=(
            Chart(
                f"Merges of {MERGES} that the mark took",
                "bar",
                "the mark is",
                "tokens",
                {
                    "with a piece of it": [(how, len(each)) for how, each in pieces.items()],
                    "with a document": [(how, len(each)) for how, each in across.items()],
                },
            ),
        ),
    )


def is_piece(token: bytes) -> bool:
    """More than a byte, and in it what no ordinary text of these documents has."""
    return len(token) > 1 and (any(bar in token for bar in BARS) or b"endof" in token)


def shown_table(title: str, tokens: Mapping[str, list[bytes]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (how, len(each), Cut(tuple(sorted(each, key=len, reverse=True)[:SHOWN])))
        for how, each in tokens.items()
    ]
    return Table(title, ("the mark is", "tokens", "such as"), rows)


def around_the_mark(tokenizer: Tokenizer, text: str) -> Cut:
    """The first mark of the text with a few tokens on either side."""
    ids = tokenizer.encode(text[: text.index(END) + 200], allowed_special="all")
    pieces = [tokenizer.token_bytes(id) for id in ids]
    at, place = 0, 0
    mark = len(text[: text.index(END)].encode())
    while at + len(pieces[place]) <= mark:
        at += len(pieces[place])
        place += 1
    return Cut(tuple(pieces[max(place - 3, 0) : place + 8]))
