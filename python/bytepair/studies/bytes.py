"""Tokens are bytes, and text must be read from all of them together."""

from __future__ import annotations

from collections import Counter

from bytepair.protocol import TokenizerLike
from bytepair.studies.study import Cell, Chart, Study, Table, by_name, cut
from bytepair.studies.subjects import Tokenizers, bundled

__all__ = ["one_by_one", "run", "streamed"]

TEXT = "敏捷的棕色狐狸 🦊 naïve"
#: The block of unified ideographs, all of it assigned.
IDEOGRAPHS = "".join(map(chr, range(0x4E00, 0xA000)))


def one_by_one(tokenizer: TokenizerLike, text: str) -> str:
    """The wrong way: each token decoded to text by itself.

    >>> import bytepair
    >>> one_by_one(bytepair.load("cl100k_base"), "天气")
    '天\ufffd\ufffd'
    """
    pieces = (tokenizer.token_bytes(id) for id in tokenizer.encode(text))
    return "".join(piece.decode("utf-8", "replace") for piece in pieces)


def streamed(tokenizer: TokenizerLike, text: str) -> list[str]:
    """The right way: what an incremental decoder gives after each token."""
    import codecs

    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pieces = [decoder.decode(tokenizer.token_bytes(id)) for id in tokenizer.encode(text)]
    return [*pieces, decoder.decode(b"", final=True)]


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """Why are tokens joined before they are read as text?"""
    tokenizers = tokenizers or bundled()
    wrong = {name: one_by_one(tok, TEXT) for name, tok in tokenizers.items()}
    lost = {name: text.count("\ufffd") for name, text in wrong.items()}
    streams = {name: streamed(tok, TEXT) for name, tok in tokenizers.items()}
    lengths = {name: ideograph_lengths(tok) for name, tok in tokenizers.items()}
    able = [name for name, tok in tokenizers.items() if round_trip(tok, IDEOGRAPHS)]
    return Study(
        name="bytes",
        question=run.__doc__ or "",
        findings=(
            f"Decoded token by token, `{TEXT}` shows "
            + by_name(lost)
            + " replacement characters; the bytes joined first give the text.",
            f"All {len(IDEOGRAPHS):,} ideographs of the main block can be written by "
            f"{len(able)} of {len(tokenizers)}: what has no token of its own is spelled in bytes.",
            "One token each: "
            + by_name({name: by[1] for name, by in lengths.items()}, ",")
            + " of them.",
        ),
        tables=(
            Table(
                "a text, token by token",
                ("tokenizer", "cut into", "each decoded alone"),
                [(name, cut(tok, TEXT), wrong[name]) for name, tok in tokenizers.items()],
            ),
            stream_table(streams),
            ideograph_table(lengths),
        ),
        charts=(
            Chart(
                "Tokens of a Chinese character",
                "bar",
                "tokens",
                "characters",
                {name: [(str(n), by[n]) for n in range(1, 5)] for name, by in lengths.items()},
            ),
        ),
    )


def ideograph_lengths(tokenizer: TokenizerLike) -> Counter[int]:
    return Counter(len(tokenizer.encode(character)) for character in IDEOGRAPHS)


def round_trip(tokenizer: TokenizerLike, text: str) -> bool:
    return tokenizer.decode_bytes(tokenizer.encode(text)) == text.encode()


def stream_table(streams: dict[str, list[str]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            sum(not piece for piece in pieces[:-1]),
            " ".join(piece or "…" for piece in pieces[:-1]),
        )
        for name, pieces in streams.items()
    ]
    columns = ("tokenizer", "tokens held back", "what a stream shows after each token")
    return Table(
        "the same, as a stream", columns, rows, note="… : nothing yet, the character goes on."
    )


def ideograph_table(lengths: dict[str, Counter[int]]) -> Table:
    most = max(max(by) for by in lengths.values())
    rows: list[tuple[Cell, ...]] = [
        (name, *(by[n] for n in range(1, most + 1)), mean(by)) for name, by in lengths.items()
    ]
    columns = (
        "tokenizer",
        *(f"{n} tokens" if n > 1 else "1 token" for n in range(1, most + 1)),
        "mean",
    )
    return Table("ideographs by the tokens that they take", columns, rows)


def mean(by: Counter[int]) -> float:
    return sum(n * count for n, count in by.items()) / by.total()
