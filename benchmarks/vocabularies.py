"""One vocabulary for all: what bytepair has bundled, saved in the files that the others read."""

from __future__ import annotations

import os
from pathlib import Path

from corpora import SCRATCH

# OpenAI calls the ranks of GPT-2 by another name, and gigatoken knows files by their names.
RANK_FILES = {"gpt2": "r50k_base", "cl100k_base": "cl100k_base", "o200k_base": "o200k_base"}


def saved(tokenizer: str, suffix: str) -> Path:
    """`tokenizer` as a `.tiktoken` or a `tokenizer.json` file; written once, and then read."""
    folder = SCRATCH / "vocabularies"
    path = folder / f"{RANK_FILES[tokenizer] if suffix == '.tiktoken' else tokenizer}{suffix}"
    if not path.exists():
        import bytepair

        beside = folder / str(os.getpid())
        beside.mkdir(parents=True, exist_ok=True)
        bytepair.load(tokenizer).save(beside / path.name)
        for file in beside.iterdir():
            file.replace(folder / file.name)
        beside.rmdir()
    return path
