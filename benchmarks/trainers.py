"""The libraries that train, behind one face: a file and a size give the merges, as pairs of bytes.

All use the pattern of GPT-2, and no special tokens. To add one: a class here, its version pinned in
requirements.txt.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
Merges = list[tuple[bytes, bytes]]


class Trainer:
    name: ClassVar[str]
    distribution: ClassVar[str]
    # The rule of ours that chooses as it does among pairs of equal count; `None`: none does.
    ties: ClassVar[str | None]
    by_lines: ClassVar[bool] = False
    unfair: ClassVar[str] = ""

    def import_library(self) -> None:
        raise NotImplementedError

    def prepare(self, path: Path) -> None:
        """What it must know of the text to be asked for the same number of merges; not timed."""

    def train(self, path: Path, vocab_size: int, threads: int) -> Any:
        """What is timed."""
        raise NotImplementedError

    def merges(self, trained: Any) -> Merges:
        """What is compared; not timed."""
        raise NotImplementedError


class Bytepair(Trainer):
    name = distribution = "bytepair"
    ties = "bytes"
    unfair = "counts in 64 bits and keeps special tokens out of merges, which nothing here asks for"

    def import_library(self) -> None:
        import bytepair

        self.library = bytepair

    def train(self, path: Path, vocab_size: int, threads: int) -> Any:
        source = self.library.files(path)
        return self.library.train(source, vocab_size, pattern="gpt2", threads=threads)

    def merges(self, trained: Any) -> Merges:
        return list(trained.merges)


def byte_of_character() -> dict[str, int]:
    """GPT-2's alphabet: printable bytes are themselves, the others follow from U+0100."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {chr(byte): byte for byte in shown} | {
        chr(256 + place): byte for place, byte in enumerate(hidden)
    }


def as_bytes(pairs: list[Any]) -> Merges:
    table = byte_of_character()
    return [tuple(bytes(table[c] for c in part) for part in pair) for pair in pairs]


class HuggingFace(Trainer):
    name = distribution = "tokenizers"
    ties = "huggingface"
    by_lines = True
    unfair = "cuts files into lines before anything else; counts in 32 bits"

    def import_library(self) -> None:
        import tokenizers

        self.library = tokenizers

    def train(self, path: Path, vocab_size: int, threads: int) -> Any:
        t = self.library
        trained = t.Tokenizer(t.models.BPE())
        trained.pre_tokenizer = t.pre_tokenizers.ByteLevel(add_prefix_space=False)
        alphabet = t.pre_tokenizers.ByteLevel.alphabet()
        trainer = t.trainers.BpeTrainer(
            vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False
        )
        trained.train([str(path)], trainer)
        return trained

    def merges(self, trained: Any) -> Merges:
        import json

        pairs = json.loads(trained.to_str())["model"]["merges"]
        return as_bytes([pair.split(" ") if isinstance(pair, str) else pair for pair in pairs])


class Gigabpe(Trainer):
    name = distribution = "gigabpe"
    ties = "huggingface"
    by_lines = True
    unfair = "GPT-2's pattern or white space only; reads files only, and cuts them into lines"

    def import_library(self) -> None:
        import gigabpe

        self.library = gigabpe

    def prepare(self, path: Path) -> None:
        # Its vocabulary has the bytes that occur, not all 256.
        self.absent = 256 - len(set(path.read_bytes()))

    def train(self, path: Path, vocab_size: int, threads: int) -> Any:
        return self.library.train_bpe(
            [str(path)],
            vocab_size - self.absent,
            special_tokens=[],
            pretokenizer="bytelevel",
            threads=threads,
        )

    def merges(self, trained: Any) -> Merges:
        return as_bytes(trained[1])


class Rustbpe(Trainer):
    name = distribution = "rustbpe"
    ties = None
    unfair = (
        "takes strings, so reading the file is timed in Python; counts in 32 bits; among pairs of "
        "equal count it takes the smallest pair of ids, which is none of our rules"
    )

    def import_library(self) -> None:
        import rustbpe

        self.library = rustbpe

    def train(self, path: Path, vocab_size: int, threads: int) -> Any:
        trained = self.library.Tokenizer()
        trained.train_from_iterator([path.read_text("utf-8")], vocab_size, pattern=GPT2)
        return trained

    def merges(self, trained: Any) -> Merges:
        # It tells the tokens it made and not from which parts: each is made by merging its bytes
        # with the earlier ranks, and the last merge of that is the pair.
        ranks = {bytes(token): rank for token, rank in trained.get_mergeable_ranks()}
        return [last_pair(token, ranks) for token in sorted(ranks, key=ranks.__getitem__)[256:]]


def last_pair(token: bytes, ranks: dict[bytes, int]) -> tuple[bytes, bytes]:
    parts = [bytes([byte]) for byte in token]
    while len(parts) > 2:
        joined = [ranks.get(a + b, len(ranks)) for a, b in pairwise(parts)]
        at = joined.index(min(joined))
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts[0], parts[1]


class Minibperust(Trainer):
    name = distribution = "minibperust"
    ties = "first"
    unfair = "a regular expression of any kind, so it has no scanner for this one"

    def import_library(self) -> None:
        from MiniBpeRust import rustminibpe

        self.library = rustminibpe

    def train(self, path: Path, vocab_size: int, threads: int) -> Any:
        return self.library.train_on_files([str(path)], GPT2, vocab_size)

    def merges(self, trained: Any) -> Merges:
        tokens = [bytes([byte]) for byte in range(256)]
        pairs: Merges = []
        for (left, right), _count in trained:
            pairs.append((tokens[left], tokens[right]))
            tokens.append(tokens[left] + tokens[right])
        return pairs


TRAINERS: dict[str, type[Trainer]] = {
    trainer.name: trainer for trainer in (Bytepair, Gigabpe, HuggingFace, Rustbpe, Minibperust)
}
