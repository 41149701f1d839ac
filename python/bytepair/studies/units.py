"""One text by every way there is, from the byte to the patch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bytepair.protocol import TokenizerLike
from bytepair.studies.study import Cell, Chart, Cut, Study, Table
from bytepair.studies.subjects import Tokenizers, bundled
from bytepair.texts import parallel, read

__all__ = ["rivals", "run"]

ENGLISH, CHINESE = "English", "Chinese, Mandarin (Simplified)"
SHOWN = 12  # tokens


class Way(NamedTuple):
    """What one way makes of a text."""

    tokens: int
    vocabulary: int
    unknown: int
    pieces: tuple[bytes, ...]


def rivals(known: str, words: list[str], *, blanks: bool) -> dict[str, TokenizerLike]:
    """The older tokenizers, made from a text and a list of words; ``blanks`` says whether the
    language writes them between words."""
    from bytepair import classic

    merges = 2_000 if blanks else 150
    char_bpe = classic.CharBPETokenizer.train(
        [known], merges, end_of_word="</w>" if blanks else None, glued=blanks
    )
    return {
        "bytes": classic.ByteTokenizer(),
        "characters": classic.CharTokenizer.build([known]),
        "words": classic.WordTokenizer.build([known], size=5_000),
        "dictionary": classic.DictionaryTokenizer(words),
        "dictionary, characters": classic.HybridTokenizer(words, texts=[known]),
        "BPE on characters": char_bpe,
        "patches of 4 bytes": classic.StridePatcher(4),
        "patches by blanks": classic.SpacePatcher(),
        "patches by entropy": classic.EntropyPatcher.train([known]),
    }


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """What is one text in bytes, characters, words, tokens and patches?"""
    texts = parallel()
    tokenizers = tokenizers or bundled("gpt2", "o200k_base", "deepseek_v3")
    english, chinese = read("corpus.en"), read("corpus.zh")
    of_english = rivals(english, sorted(set(english.split())), blanks=True)
    of_chinese = rivals(chinese, read("words.zh").split(), blanks=False)
    en = measured(texts[ENGLISH], {**of_english, **tokenizers})
    zh = measured(texts[CHINESE], {**of_chinese, **tokenizers})
    shortest = min(tokenizers, key=lambda name: en[name].tokens)
    times = en["bytes"].tokens / en[shortest].tokens
    return Study(
        name="units",
        question=run.__doc__ or "",
        findings=(
            f"The English text is {en['bytes'].tokens:,} bytes and {en[shortest].tokens:,} tokens "
            f"of {shortest}: in bytes it is {times:.1f} times as long, and attention, which "
            f"compares every token with every other, {times * times:.0f} times as much work.",
            f"A table of words leaves {en['words'].unknown:,} of {en['words'].tokens:,} English "
            f"words unknown, one of characters {zh['characters'].unknown:,} of "
            f"{zh['characters'].tokens:,} Chinese characters; bytes, BPE on bytes and patches "
            "never lose anything.",
            f"The Chinese text is {zh['characters'].tokens:,} characters in "
            f"{zh['bytes'].tokens:,} bytes; cut at blanks it is {zh['words'].tokens:,} words, all "
            "of them unknown.",
        ),
        tables=(table(ENGLISH, en), table(CHINESE, zh)),
        charts=(
            Chart(
                "Tokens of the same text",
                "bar",
                "tokens are",
                "tokens",
                {
                    name: [(way, each.tokens) for way, each in ways.items()]
                    for name, ways in (("English", en), ("Chinese", zh))
                },
            ),
        ),
    )


def measured(text: str, tokenizers: Mapping[str, TokenizerLike]) -> dict[str, Way]:
    ways = {}
    for name, tok in tokenizers.items():
        ids = tok.encode(text)
        unknown = ids.count(tok.unknown_id) if hasattr(tok, "unknown_id") else 0
        pieces = tuple(tok.token_bytes(id) for id in ids[:SHOWN])
        ways[name] = Way(len(ids), len(tok), unknown, pieces)
    return ways


def table(name: str, ways: Mapping[str, Way]) -> Table:
    bytes_ = ways["bytes"].tokens
    rows: list[tuple[Cell, ...]] = [
        (
            kind,
            way.tokens,
            way.vocabulary,
            way.unknown,
            100 * (way.tokens / bytes_) ** 2,
            Cut(way.pieces),
        )
        for kind, way in ways.items()
    ]
    return Table(
        name,
        ("tokens are", "tokens", "vocabulary", "unknown", "attention (%)", "it begins"),
        rows,
        digits={"attention (%)": 1},
        note="Attention grows with the square of the length: here as a share of that on bytes. The "
        "tables were made from another text of the language, and from a list of words that has no "
        "blank, which is unknown to it.",
    )
