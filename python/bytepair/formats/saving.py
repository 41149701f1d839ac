"""A tokenizer → a file, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from bytepair.errors import FormatError
from bytepair.formats import gpt2_files, sidecar
from bytepair.tokenizer import Tokenizer
from bytepair.writing import write_whole

__all__ = ["save"]

_SUFFIXES = {".json": "huggingface", ".tiktoken": "tiktoken"}


def save(tokenizer: Tokenizer, path: str | os.PathLike[str], format: str | None = None) -> None:
    """See ``Tokenizer.save``."""
    path = Path(path)
    gpt2 = gpt2_files.pair(path)
    kind = format or ("gpt2" if gpt2 else _SUFFIXES.get(path.suffix))
    if kind == "huggingface":
        write_whole({path: tokenizer._inner.to_huggingface()})
    elif kind == "tiktoken":
        ranks = tokenizer._inner.model.to_tiktoken()
        write_whole({sidecar.path_beside(path): sidecar.of(tokenizer), path: ranks})
    elif kind == "gpt2":
        vocab, merges = tokenizer._inner.to_gpt2()
        files = gpt2 or (path / "vocab.json", path / "merges.txt")
        write_whole(dict(zip(files, (vocab, merges), strict=True)))
    else:
        known = (
            "end the path in `.json` or `.tiktoken`, or pass "
            'format="huggingface", "tiktoken" or "gpt2"'
        )
        what = f"format `{format}`" if format else f"`{path}`: the suffix `{path.suffix}`"
        raise FormatError(f"{what} is none that a tokenizer is written in", hint=known)
