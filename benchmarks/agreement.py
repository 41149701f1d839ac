"""Do the libraries say the same? Asked before anything is timed, and in a forked child, so that no
cache of the process that is timed has seen the text."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
from collections.abc import Callable
from typing import Any

import numpy as np
from corpora import SCRATCH
from encoders import ENCODERS, Bytepair, Encoder
from machine import core_sha256, version_of
from tasks import Load, Task, Texts

REFERENCE_BYTES = 20_000
Verdict = dict[str, Any]


def in_child(work: Callable[[], Verdict]) -> Verdict:
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=lambda: queue.put(work()))
    child.start()
    child.join()
    if child.exitcode:
        raise SystemExit(f"error: the comparison ended with exit code `{child.exitcode}`")
    return dict(queue.get())


def compare(found: Any, expected: Any) -> Verdict:
    """`agrees`, or how many places differ and the first of them; a hash of what was found."""
    a, b = np.asarray(found, dtype=np.int64), np.asarray(expected, dtype=np.int64)
    verdict: Verdict = {"answer": hashlib.sha256(a.tobytes()).hexdigest()[:16], "of": len(a)}
    if np.array_equal(a, b):
        return {"agrees": True, **verdict}
    common = min(len(a), len(b))
    differ = np.flatnonzero(a[:common] != b[:common])
    first = int(differ[0]) if len(differ) else common
    return {"agrees": False, "first": first, "expected": len(b), **verdict}


def remembered(key: dict[str, Any], ask: Callable[[], Verdict]) -> Verdict:
    """A verdict holds as long as the two libraries and the text are the same ones."""
    name = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:24]
    path = SCRATCH / "agreed" / f"{name}.json"
    if path.exists():
        return dict(json.loads(path.read_text("utf-8")))
    verdict = in_child(ask)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(verdict), "utf-8")
    beside.replace(path)
    return verdict


def against_reference(tokenizer: str, text: str) -> None:
    """bytepair is the measure of the others, and `bytepair.reference` that of bytepair."""
    import bytepair
    from bytepair.reference import PatternTokenizer

    head = text.encode()[:REFERENCE_BYTES].decode("utf-8", "ignore")
    tok = bytepair.load(tokenizer)
    slow = PatternTokenizer.from_ranks(
        {token: id for id, token in tok.vocab.items()}, pattern=tok.pattern
    )
    if tok.encode(head) != slow.encode(head):
        raise SystemExit(
            f"error: bytepair differs from its reference: `{tokenizer}`, {head[:40]!r}…"
        )


def loaded(kind: type[Encoder], tokenizer: str, task: Task) -> Encoder:
    encoder = kind(tokenizer)
    encoder.import_library()
    encoder.prepare()
    load = getattr(encoder, task.method) if isinstance(task, Load) else encoder.load
    load()
    return encoder


def of_encoder(library: str, tokenizer: str, name: str, task: Task, texts: Texts) -> Verdict:
    kind = ENCODERS[library]
    digest = hashlib.sha256((texts.first + "\0" + texts.fresh).encode()).hexdigest()
    key = {
        "library": [library, version_of(kind.distribution)],
        "core": core_sha256(),
        "tokenizer": tokenizer,
        "task": name,
        "text": digest,
    }

    def ask() -> Verdict:
        if kind is Bytepair:
            against_reference(tokenizer, texts.first)
        judge = Bytepair(tokenizer)
        judge.import_library()
        judge.load_bundled()
        # The judge answers by its plainest call, whatever form the task asks of the others.
        return compare(task.answer(loaded(kind, tokenizer, task), texts), task.answer(judge, texts))

    return remembered(key, ask)


def of_merges(found: list[Any], path: str, vocab_size: int, ties: str, by_lines: bool) -> Verdict:
    """The merges of a training against ours under the same rule, place by place."""
    import bytepair

    if by_lines:
        with open(path, encoding="utf-8", newline="\n") as lines:
            ours = bytepair.train(lines, vocab_size, pattern="gpt2", ties=ties, threads=1)
    else:
        ours = bytepair.train(bytepair.files(path), vocab_size, pattern="gpt2", ties=ties)
    expected = list(ours.merges)
    digest = hashlib.sha256(repr(found).encode()).hexdigest()[:16]
    verdict: Verdict = {"answer": digest, "of": len(found)}
    if found == expected:
        return {"agrees": True, **verdict}
    pairs = enumerate(zip(found, expected, strict=False))
    first = next((n for n, (a, b) in pairs if a != b), min(len(found), len(expected)))
    return {"agrees": False, "first": first, "expected": len(expected), **verdict}
