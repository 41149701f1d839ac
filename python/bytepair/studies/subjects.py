"""What the studies look at unless they are told otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from bytepair.protocol import TokenizerLike

__all__ = ["Tokenizers", "bundled"]

Tokenizers = Mapping[str, TokenizerLike]

#: The vocabularies that this project is about.
SIX = ("gpt2", "cl100k_base", "o200k_base", "deepseek_v3", "glm4", "qwen2.5")


def bundled(*names: str) -> Tokenizers:
    """These tokenizers by name, the six without any."""
    from bytepair.formats import load

    return {name: load(name) for name in names or SIX}
