"""Upper case, a blank, a quotation mark: each makes another word of the same one."""

from __future__ import annotations

from collections.abc import Callable

from bytepair.studies.study import Cell, Chart, Study, Table, by_name, cut
from bytepair.studies.subjects import Tokenizers, bundled

__all__ = ["FORMS", "run"]

WORDS = ("hello", "tokenization")
#: How a word stands in texts.
FORMS: dict[str, Callable[[str], str]] = {
    "word": str.lower,
    "·word": lambda word: f" {word}",
    "Word": str.capitalize,
    "·Word": lambda word: f" {word.capitalize()}",
    "WORD": str.upper,
    "·WORD": lambda word: f" {word.upper()}",
    "⏎word": lambda word: f"\n{word}",
    '"word': lambda word: f'"{word}',
    "(word": lambda word: f"({word}",
}


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """Is a word the same token in upper case, or after a blank?"""
    tokenizers = tokenizers or bundled()
    tables = [ids_table(tokenizers)]
    for word in WORDS:
        rows: list[tuple[Cell, ...]] = [
            (name, *(len(tok.encode(form(word))) for form in FORMS.values()))
            for name, tok in tokenizers.items()
        ]
        tables.append(Table(f"tokens of {word} in nine forms", ("tokenizer", *FORMS), rows))
    shouted = Table(
        f"{WORDS[0]}, shouted",
        ("tokenizer", "HELLO", " HELLO"),
        [(name, cut(tok, "HELLO"), cut(tok, " HELLO")) for name, tok in tokenizers.items()],
    )
    distinct = {
        name: len({tuple(tok.encode(form(WORDS[0]))) for form in list(FORMS.values())[:6]})
        for name, tok in tokenizers.items()
    }
    tokens = {
        form.__name__: by_name({n: len(t.encode(form(WORDS[0]))) for n, t in tokenizers.items()})
        for form in (str.lower, str.upper)
    }
    return Study(
        name="case",
        question=run.__doc__ or "",
        findings=(
            f"By case and blank `{WORDS[0]}` has six forms, and as many sequences of ids: "
            + by_name(distinct)
            + "; what they have in common, the model has to learn.",
            f"In lower case it takes {tokens['lower']} tokens, in upper case {tokens['upper']}.",
        ),
        tables=(*tables, shouted),
        charts=(
            Chart(
                f"Tokens of {WORDS[1]} by its form",
                "bar",
                "form",
                "tokens",
                {
                    name: [(form, len(tok.encode(make(WORDS[1])))) for form, make in FORMS.items()]
                    for name, tok in tokenizers.items()
                },
            ),
        ),
    )


def ids_table(tokenizers: Tokenizers) -> Table:
    forms = [make(WORDS[0]) for make in FORMS.values()][:6]
    rows = [
        (name, *(" ".join(map(str, tok.encode(form))) for form in forms))
        for name, tok in tokenizers.items()
    ]
    columns = ("tokenizer", *(form.replace(" ", "·") for form in forms))
    return Table(f"ids of {WORDS[0]}", columns, rows, note="· is a blank.")
