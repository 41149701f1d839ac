"""What is timed: each task has figures, and an answer that is compared before anything is timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from encoders import Encoder

Figures = dict[str, dict[str, Any]]

SHORT = 20  # characters
CALLS = 1000


@dataclass(frozen=True)
class Texts:
    """`first` and `fresh` are of one kind and share nothing; `lines` are those of `fresh`."""

    first: str
    fresh: str

    @property
    def lines(self) -> list[str]:
        return [line for line in self.fresh.split("\n") if line.strip()]

    @property
    def short(self) -> list[str]:
        """Pieces from all over `fresh`, as different from each other as it allows."""
        step = max(1, (len(self.fresh) - SHORT) // CALLS)
        return [self.fresh[at : at + SHORT] for at in range(0, len(self.fresh) - SHORT, step)][
            :CALLS
        ]


def size(*texts: str) -> int:
    return sum(len(text.encode()) for text in texts)


def timed(run: Callable[[], Any], *, least: int = 1, most: int = 1, seconds: float = 0) -> Any:
    """Repeats until `most` runs, or `least` of them and `seconds` are over.

    CPU time is that of all threads.
    """
    cpu: list[float] = []
    wall: list[float] = []
    while len(wall) < least or (len(wall) < most and sum(wall) < seconds):
        wall_start, cpu_start = time.perf_counter(), time.process_time()
        run()
        cpu.append(round(time.process_time() - cpu_start, 6))
        wall.append(round(time.perf_counter() - wall_start, 6))
    return {"cpu": cpu, "wall": wall}


again = partial(timed, least=3, most=9, seconds=1.0)


def flat(lists: list[list[int]]) -> list[int]:
    return [id for ids in lists for id in ids]


class Task:
    """`needs`: the methods without which a library has no such cell."""

    needs: tuple[str, ...] = ()

    def answer(self, encoder: Encoder, texts: Texts) -> Any:
        """Numbers in one dimension, compared one by one with bytepair's."""
        raise NotImplementedError

    def figures(self, encoder: Encoder, texts: Texts) -> Figures:
        raise NotImplementedError


@dataclass(frozen=True)
class Document(Task):
    """One long text. cold: the first pass of a process; fresh: other text of the kind after it;
    warm: that text again."""

    method: str

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.method,)

    def answer(self, encoder: Encoder, texts: Texts) -> Any:
        encode = getattr(encoder, self.method)
        return np.concatenate([np.asarray(encode(text)) for text in (texts.first, texts.fresh)])

    def figures(self, encoder: Encoder, texts: Texts) -> Figures:
        encode = getattr(encoder, self.method)
        passes = {
            "cold": (texts.first, timed),
            "fresh": (texts.fresh, timed),
            "warm": (texts.fresh, again),
        }
        return {
            name: {**clock(partial(encode, text)), "bytes": size(text)}
            for name, (text, clock) in passes.items()
        }


@dataclass(frozen=True)
class Batch(Task):
    """The lines of a text as texts of their own, on one thread and on two."""

    method: str

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.method,)

    def answer(self, encoder: Encoder, texts: Texts) -> Any:
        found = getattr(encoder, self.method)(texts.lines, 1)
        return flat(found) if isinstance(found, list) else found

    def figures(self, encoder: Encoder, texts: Texts) -> Figures:
        run, lines = getattr(encoder, self.method), texts.lines
        return {
            f"{threads} threads": {
                **again(partial(run, lines, threads), least=2),
                "bytes": size(*lines),
                "texts": len(lines),
            }
            for threads in (1, 2)
        }


class Count(Task):
    needs = ("count",)

    def answer(self, encoder: Encoder, texts: Texts) -> Any:
        return [encoder.count(text) for text in (texts.first, texts.fresh)]

    def figures(self, encoder: Encoder, texts: Texts) -> Figures:
        run = partial(encoder.count, texts.fresh)
        return {"count": {**again(run), "bytes": size(texts.fresh)}}


class Short(Task):
    """Strings of 20 characters, one call for each, to a list."""

    needs = ("to_list",)

    def answer(self, encoder: Encoder, texts: Texts) -> Any:
        return flat([encoder.to_list(text) for text in texts.short])

    def figures(self, encoder: Encoder, texts: Texts) -> Figures:
        short, encode = texts.short, encoder.to_list

        def all_of_them() -> None:
            for text in short:
                encode(text)

        return {"short": {**timed(all_of_them, least=15), "calls": len(short)}}


class Decode(Task):
    needs = ("to_list", "decode")

    def answer(self, encoder: Encoder, texts: Texts) -> Any:
        text = encoder.decode(list(encoder.to_list(texts.fresh)))
        return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)

    def figures(self, encoder: Encoder, texts: Texts) -> Figures:
        ids = list(encoder.to_list(texts.fresh))
        return {"decode": {**again(partial(encoder.decode, ids)), "bytes": size(texts.fresh)}}


@dataclass(frozen=True)
class Load(Task):
    """The first load of a process, the library being imported."""

    method: str

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.method,)

    def answer(self, encoder: Encoder, texts: Texts) -> Any:
        return encoder.to_list(texts.first[:20_000])

    def figures(self, encoder: Encoder, texts: Texts) -> Figures:
        return {"load": timed(getattr(encoder, self.method))}


TASKS: dict[str, Task] = {
    "document to list": Document("to_list"),
    "document to numpy": Document("to_numpy"),
    "batch to list": Batch("batch_to_list"),
    "batch to numpy": Batch("batch_to_numpy"),
    "count": Count(),
    "short": Short(),
    "decode": Decode(),
    "load from file": Load("load"),
    "load bundled": Load("load_bundled"),
}
