"""A token is one number: the letters inside it are not in sight of the model."""

from __future__ import annotations

from bytepair.studies.study import Chart, Study, Table, cut
from bytepair.studies.subjects import Tokenizers, bundled

__all__ = ["run"]

WORD, LETTER = "strawberry", "r"


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """Why do models miscount the letters of a word?"""
    tokenizers = tokenizers or bundled()
    forms = {"as a word": WORD, "after a blank": f" {WORD}", "backwards": WORD[::-1]}
    tables = [form_table(f"{WORD}, {how}", text, tokenizers) for how, text in forms.items()]
    alone = {name: tok.encode(WORD) for name, tok in tokenizers.items()}
    spaced = [name for name, tok in tokenizers.items() if len(tok.encode(f" {WORD}")) == 1]
    first, ids = next(iter(alone.items()))
    return Study(
        name="letters",
        question=run.__doc__ or "",
        findings=(
            f"`{WORD}` has {WORD.count(LETTER)} `{LETTER}`. To {first} it is the numbers "
            f"{', '.join(map(str, ids))}, "
            + (
                "one for each letter."
                if len(ids) == len(WORD)
                else "and nothing in a number says how many it stands for."
            ),
            f"After a blank, as it stands in a sentence, `{WORD}` is one token for "
            f"{len(spaced)} of {len(tokenizers)}; alone it is one for "
            f"{sum(len(ids) == 1 for ids in alone.values())}.",
            f"Backwards it shares no token with itself for {strangers(tokenizers)} of "
            f"{len(tokenizers)}"
            + (
                ": who spells a word backwards must know each token's letters by heart."
                if strangers(tokenizers)
                else "."
            ),
        ),
        tables=(*tables, letter_table(tokenizers)),
        charts=(
            Chart(
                f"Tokens of {WORD}",
                "bar",
                "how it stands",
                "tokens",
                {
                    name: [(how, len(tok.encode(text))) for how, text in forms.items()]
                    for name, tok in tokenizers.items()
                },
            ),
        ),
    )


def form_table(title: str, text: str, tokenizers: Tokenizers) -> Table:
    rows = []
    for name, tok in tokenizers.items():
        ids = tok.encode(text)
        rows.append((name, len(ids), cut(tok, text), " ".join(map(str, ids))))
    return Table(title, ("tokenizer", "tokens", "cut into", "ids"), rows)


def strangers(tokenizers: Tokenizers) -> int:
    """For how many no token of the word is one of the word backwards."""
    ids = [(set(tok.encode(WORD)), set(tok.encode(WORD[::-1]))) for tok in tokenizers.values()]
    return sum(word.isdisjoint(backwards) for word, backwards in ids)


def letter_table(tokenizers: Tokenizers) -> Table:
    """What a model would have to know of each token to count."""
    rows = []
    for name, tok in tokenizers.items():
        pieces = [tok.token_bytes(id) for id in tok.encode(WORD)]
        told = ", ".join(
            f"{p.decode('utf-8', 'replace')}: {p.count(LETTER.encode())}" for p in pieces
        )
        rows.append((name, told, sum(p.count(LETTER.encode()) for p in pieces)))
    return Table(f"what each token holds of {LETTER}", ("tokenizer", "by token", "together"), rows)
