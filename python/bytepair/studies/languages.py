"""The same text in many languages, and what each tokenizer makes of it."""

from __future__ import annotations

from statistics import median

from bytepair.protocol import TokenizerLike
from bytepair.studies.study import Chart, Study, Table, by_name
from bytepair.studies.subjects import Tokenizers, bundled
from bytepair.texts import parallel

__all__ = ["run", "tokens_per_character"]

REFERENCE, CHINESE = "English", "Chinese, Mandarin (Simplified)"
CHARTED = (
    CHINESE,
    "German, Standard (1996)",
    "Russian",
    "Japanese",
    "Korean",
    "Hindi",
    "Thai",
    "Burmese",
)


def tokens_per_character(tokenizer: TokenizerLike, text: str) -> float:
    """Tokens divided by code points, over the whole text."""
    return len(tokenizer.encode(text)) / len(text)


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """What does the same text cost in another language?"""
    tokenizers = tokenizers or bundled()
    texts = parallel()
    counts = {
        name: {language: len(tok.encode(text)) for language, text in texts.items()}
        for name, tok in tokenizers.items()
    }
    premiums = {
        name: {language: count / by[REFERENCE] for language, count in by.items()}
        for name, by in counts.items()
    }
    worst = {name: max(by, key=by.__getitem__) for name, by in premiums.items()}
    chinese = {name: tokens_per_character(tok, texts[CHINESE]) for name, tok in tokenizers.items()}
    order = sorted(texts, key=lambda language: median(by[language] for by in premiums.values()))
    return Study(
        name="languages",
        question=run.__doc__ or "",
        findings=(
            "A Chinese character takes " + by_name(chinese, ".2f") + " tokens.",
            "The dearest language, relative to English: "
            + by_name({n: f"{worst[n]} at {premiums[n][worst[n]]:.1f}" for n in tokenizers})
            + ".",
            "Half of the languages cost more than "
            + by_name({name: median(by.values()) for name, by in premiums.items()}, ".2f")
            + " times what English costs.",
        ),
        tables=(
            Table(
                "premium: tokens of the same text, relative to English",
                ("language", *tokenizers),
                [(lang, *(by[lang] for by in premiums.values())) for lang in order],
                note="Articles 1 to 10 of the Universal Declaration of Human Rights; tokens of the "
                "whole text divided by those of the English one (Petrov and others, 2023).",
            ),
            Table(
                "tokens per character",
                ("language", "characters", "bytes", *tokenizers),
                [
                    (
                        lang,
                        len(texts[lang]),
                        len(texts[lang].encode()),
                        *(by[lang] / len(texts[lang]) for by in counts.values()),
                    )
                    for lang in order
                ],
                note="Characters of different scripts say different amounts: compare columns, not "
                "rows.",
            ),
        ),
        charts=(
            Chart(
                "Tokens of the same text, relative to English",
                "bar",
                "language",
                "premium",
                {
                    name: [(lang.partition(",")[0], by[lang]) for lang in CHARTED]
                    for name, by in premiums.items()
                },
            ),
        ),
    )
