"""A tokenizer → a file, whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from bytepair.errors import FormatError
from bytepair.formats import gpt2_files, sidecar
from bytepair.tokenizer import Tokenizer

__all__ = ["save", "write_whole"]

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


def write_whole(contents: dict[Path, bytes]) -> None:
    """Writes files beside their places and then renames them, so that none is ever seen half."""
    written: list[tuple[Path, Path]] = []
    try:
        for path, data in contents.items():
            draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            written.append((draft, path))
            with draft.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for draft, path in written:
            draft.replace(path)
    except OSError as error:
        path = written[-1][1]
        raise FormatError(f"`{path}` cannot be written: {error.strerror}") from error
    finally:
        for draft, _ in written:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
