"""A token is one number: the letters inside it are not in sight of the model."""

from __future__ import annotations

from bytepair.studies.study import Study, Table, cut
from bytepair.studies.subjects import Tokenizers, bundled

__all__ = ["run"]

WORD, LETTER = "strawberry", "r"


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """Why do models miscount the letters of a word?"""
    tokenizers = tokenizers or bundled()
    forms = {"as a word": WORD, "after a blank": f" {WORD}", "backwards": WORD[::-1]}
    tables = [
        Table(
            f"{WORD}, {how}",
            ("tokenizer", "tokens", "cut into", "ids"),
            [
                (name, len(ids := tok.encode(text)), cut(tok, text), " ".join(map(str, ids)))
                for name, tok in tokenizers.items()
            ],
        )
        for how, text in forms.items()
    ]
    first = next(iter(tokenizers))
    apart = [tok.token_bytes(id) for tok in [tokenizers[first]] for id in tok.encode(WORD)]
    holding = sum(LETTER.encode() in piece for piece in apart)
    return Study(
        name="letters",
        question=run.__doc__ or "",
        findings=(
            f"`{WORD}` has {WORD.count(LETTER)} `{LETTER}`; to {first} it is {len(apart)} numbers, "
            f"{holding} of which stand for tokens that hold an `{LETTER}`: nothing in a number "
            "says how many.",
        ),
        tables=tuple(tables),
    )
