"""The outside judges: tiktoken and Hugging Face tokenizers, with the same vocabularies as ours.

Both are built with no network: tiktoken from its own definitions and the published rank files,
tokenizers from the published `tokenizer.json`. Where the shared folder is absent, the bundled
vocabularies take the files' place, and what is not bundled is skipped.
"""

from __future__ import annotations

import functools
import os
import tempfile
from pathlib import Path
from unittest.mock import patch

import pytest
import tiktoken
import tiktoken_ext.openai_public as published
import tokenizers

import bytepair

OPENAI = sorted(published.ENCODING_CONSTRUCTORS)
HUGGINGFACE = ["deepseek_v3", "gpt2", "gpt_neox", "llama3", "qwen3", "roberta_base", "whisper_tiny"]

# What tiktoken downloads → the file in the shared folder; its own loader checks the hashes.
PUBLISHED_FILES = {
    "vocab.bpe": "other/gpt2.merges.txt",
    "encoder.json": "other/gpt2.vocab.json",
    "r50k_base.tiktoken": "tiktoken/r50k_base.tiktoken",
    "p50k_base.tiktoken": "tiktoken/p50k_base.tiktoken",
    "cl100k_base.tiktoken": "tiktoken/cl100k_base.tiktoken",
    "o200k_base.tiktoken": "tiktoken/o200k_base.tiktoken",
}


def shared_file(shared: Path, name: str) -> Path:
    """A file of the shared folder; skips where that lacks it."""
    path = shared / name
    if not path.exists():
        pytest.skip(f"the shared folder has no `{name}`")
    return path


@functools.lru_cache(maxsize=3)
def bundled(name: str) -> bytepair.Tokenizer:
    return bytepair.load(name)


@functools.lru_cache(maxsize=2)
def tiktoken_judge(name: str, shared: Path | None) -> tiktoken.Encoding:
    """tiktoken as it defines itself: its pattern, special tokens, loader and checks."""
    if shared is not None:

        def read(url: str) -> bytes:
            name = PUBLISHED_FILES[url.rsplit("/", 1)[1]]
            return shared_file(shared, f"vocabs/{name}").read_bytes()

        with (
            patch.object(tiktoken.load, "read_file", read),
            patch.dict(os.environ, TIKTOKEN_CACHE_DIR=""),
        ):
            return tiktoken.Encoding(**published.ENCODING_CONSTRUCTORS[name]())

    def ranks(*_: str, **__: str) -> dict[bytes, int]:
        return {token: id for id, token in bundled(name).vocab.items()}

    with (
        patch.object(published, "load_tiktoken_bpe", ranks),
        patch.object(published, "data_gym_to_mergeable_bpe_ranks", ranks),
    ):
        return tiktoken.Encoding(**published.ENCODING_CONSTRUCTORS[name]())


@functools.lru_cache(maxsize=2)
def huggingface_judge(
    name: str, shared: Path | None
) -> tuple[bytepair.Tokenizer, tokenizers.Tokenizer]:
    """Ours and theirs from one file; skips what is neither in the shared folder nor bundled."""
    if shared is not None:
        path = shared_file(shared, f"vocabs/huggingface/{name}.json")
        return bytepair.load(path), tokenizers.Tokenizer.from_file(str(path))
    if name not in bytepair.names():
        pytest.skip(f"`{name}` is not bundled, and there is no shared folder (BYTEPAIR_SHARED)")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tokenizer.json")
        bundled(name).save(path)
        return bundled(name), tokenizers.Tokenizer.from_file(str(path))
