"""Every way from a text to its ids, which must all give the same."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import bytepair
from bytepair.cli import main


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: bytes
    err: str


def command(*arguments: object, stdin: bytes = b"") -> Done:
    """Runs `bytepair ARGUMENTS…` in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with (
        mock.patch.object(sys, "stdin", given),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main([str(argument) for argument in arguments])
        out.flush()
        err.flush()
    return Done(code, out.buffer.getvalue(), err.buffer.getvalue().decode())  # type: ignore[attr-defined]


def ids_of(
    tok: bytepair.Tokenizer, text: str | bytes, *, file: str | Path | None = None, **options: Any
) -> list[int]:
    """The ids of `text`, after every call that gives or counts them has agreed on them.

    With `file`, which holds the same tokenizer (or is its name), the command line is asked too.
    """
    ids = tok.encode(text, **options)
    data = text if isinstance(text, bytes) else text.encode()
    half = len(data) // 2
    ways: dict[str, list[int]] = {
        "bytes": tok.encode(data, **options),
        "numpy": tok.encode_to_numpy(text, **options).tolist(),
        "batch": tok.encode_batch([data, text], threads=2, **options)[1],
        "batch to numpy": tok.encode_batch_to_numpy([text], **options).ids.tolist(),
        "stream": list(tok.encode_stream([data[:half], data[half:]], **options)),
    }
    if file is not None:
        special = options.get("allowed_special", ())
        names = [special] if special == "all" else special
        flags = [part for name in names for part in ("--allowed-special", name)]
        for way, given in (("encode", ["encode"]), ("encode --json", ["encode", "--json"])):
            shown = command(*given, "-t", file, *flags, stdin=data).out.decode()
            ways[f"bytepair {way}"] = [
                int(id) for id in shown.strip("[]\n").replace(",", "").split()
            ]
        counted = command("count", "-t", file, *flags, stdin=data).out.split()
        assert int(counted[0]) == len(ids)
    assert {way: found for way, found in ways.items() if found != ids} == {}
    options.pop("disallowed_special", None)
    counts = [
        tok.count(text, **options),
        tok.count(data, **options),
        tok.count_batch([text], **options)[0],
    ]
    assert counts == [len(ids)] * 3
    return ids
