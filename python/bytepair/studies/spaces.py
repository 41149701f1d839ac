"""A blank belongs to the word after it, and so it matters where a prompt ends."""

from __future__ import annotations

from bytepair.protocol import TokenizerLike
from bytepair.studies.study import Cell, Chart, Study, Table, by_name, cut
from bytepair.studies.subjects import Tokenizers, bundled

__all__ = ["run"]

PROMPT, ANSWER = "The capital of France is", "Paris"
CODE = "    def f(x):\n        return x+1\n"
RUNS = (1, 2, 3, 4, 8, 16, 17, 32, 64, 128, 200)


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """What does a trailing blank do, and what does indentation cost?"""
    tokenizers = tokenizers or bundled()
    code = {name: len(tok.encode(CODE)) for name, tok in tokenizers.items()}
    shares = {name: share_with_blank(tok) for name, tok in tokenizers.items()}
    kept = [name for name, tok in tokenizers.items() if is_prefix(tok, PROMPT)]
    broken = [name for name, tok in tokenizers.items() if not is_prefix(tok, f"{PROMPT} ")]
    longest = {
        name: [(n, len(tok.encode(" " * n))) for n in RUNS] for name, tok in tokenizers.items()
    }
    return Study(
        name="spaces",
        question=run.__doc__ or "",
        findings=(
            f"Without a blank at its end, `{PROMPT}` is encoded as in `{PROMPT} {ANSWER}` by "
            f"{len(kept)} of {len(tokenizers)}; with one, it is not by {len(broken)}"
            + (
                ": the model must go on from a blank alone, which it hardly ever saw before a word."
                if broken
                else "."
            ),
            "Tokens that begin with a blank and a letter are "
            + by_name(shares, ".0f")
            + " per cent of the vocabulary; after a trailing blank all of them are out of place.",
            f"Two indented lines of code take {by_name(code)} tokens.",
        ),
        tables=(prompt_table(tokenizers), runs_table(longest), code_table(tokenizers, code)),
        charts=(
            Chart("Tokens of a run of blanks", "line", "blanks", "tokens", longest, log_x=True),
        ),
    )


def is_prefix(tokenizer: TokenizerLike, prompt: str) -> bool:
    """Whether the prompt's ids are the first of those of the prompt with its answer."""
    ids = tokenizer.encode(prompt)
    return tokenizer.encode(f"{PROMPT} {ANSWER}")[: len(ids)] == ids


def share_with_blank(tokenizer: TokenizerLike) -> float:
    """The share of the vocabulary, in per cent, that begins with a blank and a letter."""
    vocab = getattr(tokenizer, "vocab", {})
    begun = sum(
        t[:1] == b" " and t.decode("utf-8", "replace")[1:2].isalpha() for t in vocab.values()
    )
    return 100 * begun / len(vocab) if vocab else 0.0


def prompt_table(tokenizers: Tokenizers) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, cut(tok, PROMPT), cut(tok, f"{PROMPT} "), cut(tok, f"{PROMPT} {ANSWER}"))
        for name, tok in tokenizers.items()
    ]
    columns = ("tokenizer", "prompt", "with a blank", "what training saw")
    return Table("a prompt, with and without a blank at its end", columns, rows)


def runs_table(runs: dict[str, list[tuple[int, int]]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, *(tokens for _, tokens in points)) for name, points in runs.items()
    ]
    return Table("tokens of a run of blanks, by its length", ("tokenizer", *map(str, RUNS)), rows)


def code_table(tokenizers: Tokenizers, code: dict[str, int]) -> Table:
    tabs = {name: len(tok.encode("\t" * 8)) for name, tok in tokenizers.items()}
    rows = [(name, code[name], tabs[name], cut(tok, CODE)) for name, tok in tokenizers.items()]
    columns = ("tokenizer", "tokens", "eight tabs", "cut into")
    return Table("indented code", columns, rows)
