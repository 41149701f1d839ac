"""Measures one library on one task on one corpus, in this process alone; prints a line of JSON.

python benchmarks/measure.py encode tiktoken cl100k_base english "document to list" --bytes 4000000
python benchmarks/measure.py train gigabpe 32768 mixture --bytes 84000000
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any


def resident() -> float:
    """MB in memory now; where the system does not tell, the most there ever was."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return peak()
    return pages * resource.getpagesize() / 1e6


def peak() -> float:
    """MB, the most there ever was; the unit of the system call is not the same everywhere."""
    return (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        * (1 if sys.platform == "darwin" else 1024)
        / 1e6
    )


def encode(arguments: argparse.Namespace) -> dict[str, Any]:
    import corpora
    from agreement import of_encoder
    from encoders import ENCODERS
    from machine import version_of
    from tasks import TASKS, Load, Texts

    kind, task = ENCODERS[arguments.library], TASKS[arguments.task]
    texts = Texts(*corpora.halves(arguments.corpus, arguments.bytes))
    encoder = kind(arguments.tokenizer)
    encoder.prepare()
    verdict = of_encoder(arguments.library, arguments.tokenizer, arguments.task, task, texts)
    # The library's own memory: numpy and the text were there before it.
    import numpy  # noqa: F401

    before = resident()
    encoder.import_library()
    imported = resident()
    if isinstance(task, Load):
        figures = task.figures(encoder, texts)
        after = resident()
    else:
        encoder.load()
        after = resident()
        figures = task.figures(encoder, texts)
    memory = {
        "imported": round(imported - before, 1),
        "loaded": round(after - before, 1),
        "peak": round(peak() - before, 1),
    }
    return {
        "version": version_of(kind.distribution),
        "text": corpora.available(arguments.corpus),
        "verdict": verdict,
        "figures": figures,
        "memory": memory,
    }


def train(arguments: argparse.Namespace) -> dict[str, Any]:
    import corpora
    from agreement import in_child, of_merges
    from machine import version_of
    from tasks import timed
    from trainers import TRAINERS

    kind = TRAINERS[arguments.library]
    path = corpora.as_file(arguments.corpus, arguments.bytes)
    trainer = kind()
    trainer.import_library()
    trainer.prepare(path)
    before, results = resident(), []
    figure = timed(lambda: results.append(trainer.train(path, arguments.vocab_size, 1)))
    memory = {"peak": round(peak() - before, 1)}
    # The merges of the very run that was timed. A trainer keeps nothing between runs that a
    # comparison before it could spare.
    merges = trainer.merges(results[0])
    ties = kind.ties or "ids"
    verdict = in_child(
        lambda: of_merges(merges, str(path), arguments.vocab_size, ties, kind.by_lines)
    )
    return {
        "version": version_of(kind.distribution),
        "text": corpora.available(arguments.corpus),
        "verdict": {**verdict, "ties": kind.ties},
        "figures": {"train": {**figure, "bytes": path.stat().st_size}},
        "memory": memory,
    }


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    one = kinds.add_parser("encode")
    one.add_argument("library")
    one.add_argument("tokenizer")
    one.add_argument("corpus")
    one.add_argument("task")
    two = kinds.add_parser("train")
    two.add_argument("library")
    two.add_argument("vocab_size", type=int)
    two.add_argument("corpus")
    for each in (one, two):
        each.add_argument("--bytes", type=int, required=True)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    parsed = parse(arguments)
    # Read when a library makes its pool. A batch on two threads asks for two; training is on one.
    os.environ["RAYON_NUM_THREADS"] = "1" if parsed.kind == "train" else "2"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    from machine import facts

    try:
        found = encode(parsed) if parsed.kind == "encode" else train(parsed)
    except (PackageNotFoundError, ModuleNotFoundError) as missing:
        raise SystemExit(
            f"error: {missing}\nhint: pip install -r benchmarks/requirements.txt"
        ) from None
    print(json.dumps({**vars(parsed), **found, **facts()}))


if __name__ == "__main__":
    main()
