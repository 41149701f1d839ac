"""What a sweep measures: the cells of the tables, in the order in which they are run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import corpora
from encoders import ENCODERS
from tasks import TASKS
from trainers import TRAINERS


@dataclass(frozen=True)
class Cell:
    """One process of `measure.py`. `subject`: a tokenizer, or the size of a vocabulary."""

    kind: str
    library: str
    subject: str
    corpus: str
    bytes: int
    task: str = ""

    def arguments(self) -> list[str]:
        task = [self.task] if self.task else []
        named = [self.kind, self.library, self.subject, self.corpus, *task]
        return [*named, "--bytes", str(self.bytes)]

    def __str__(self) -> str:
        return " · ".join(
            filter(None, [self.task or self.kind, self.subject, self.corpus, self.library])
        )


@dataclass(frozen=True)
class Encoding:
    tokenizers: tuple[str, ...]
    tasks: tuple[str, ...]
    corpora: tuple[str, ...]


@dataclass(frozen=True)
class Training:
    vocab_size: int
    corpora: tuple[str, ...]
    megabytes: int
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Preset:
    """Slow libraries get a part of the text: seconds of theirs say as much as minutes would."""

    megabytes: int
    encoding: tuple[Encoding, ...]
    training: tuple[Training, ...]
    slow_megabytes: int = 1
    slow: tuple[str, ...] = ("tokenizers",)


ALL = ("english", "code", "chinese", "multilingual", "scripts")
DOCUMENT = ("document to list", "document to numpy")
OTHERS = ("batch to list", "batch to numpy", "count", "short", "decode")
LOAD = ("load from file", "load bundled")

PRESETS = {
    "quick": Preset(
        megabytes=1,
        encoding=(
            Encoding(("o200k_base",), (*DOCUMENT, *OTHERS), ("english", "chinese")),
            Encoding(("o200k_base",), LOAD, ("english",)),
        ),
        training=(Training(4096, ("english",), 2),),
    ),
    "standard": Preset(
        megabytes=4,
        encoding=(
            Encoding(("o200k_base",), (*DOCUMENT, *OTHERS), ALL),
            Encoding(("o200k_base", "cl100k_base", "gpt2"), LOAD, ("english",)),
            Encoding(("cl100k_base",), DOCUMENT, ALL),
            Encoding(("gpt2",), DOCUMENT, ("english", "chinese")),
        ),
        training=(
            # Its general engine takes minutes over what takes the others seconds.
            Training(32_768, ("mixture",), 84, without=("minibperust",)),
            Training(
                8192, ("english", "code", "chinese", "multilingual"), 8, without=("minibperust",)
            ),
            Training(4096, ("english",), 2),
        ),
    ),
}


def cells(preset: Preset) -> Iterator[Cell]:
    """The libraries take turns, so that a machine that slows down slows all of them."""
    for part in preset.encoding:
        for tokenizer in part.tokenizers:
            for task in part.tasks:
                for corpus in filter(corpora.available, part.corpora):
                    yield from encoding(preset, tokenizer, task, corpus)
    for training in preset.training:
        for corpus in filter(corpora.available, training.corpora):
            for library in TRAINERS:
                if library not in training.without:
                    size = training.megabytes * 1_000_000
                    yield Cell("train", library, str(training.vocab_size), corpus, size)


def encoding(preset: Preset, tokenizer: str, task: str, corpus: str) -> Iterator[Cell]:
    for library, kind in ENCODERS.items():
        if tokenizer in kind.tokenizers and kind.offers(TASKS[task].needs):
            megabytes = preset.slow_megabytes if library in preset.slow else preset.megabytes
            yield Cell("encode", library, tokenizer, corpus, megabytes * 1_000_000, task)
