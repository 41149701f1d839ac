"""Tokenizers from names and files, and back into files.

| module | what |
|---|---|
| ``loading`` | ``load``: a name, a file or a folder → a tokenizer |
| ``saving`` | ``save``: a tokenizer → a file, whole or not at all |
| ``gpt2_files`` | ``vocab.json`` and ``merges.txt``, with what stands beside them |
| ``sidecar`` | ``NAME.tiktoken.json``: what a ``.tiktoken`` file cannot hold |

The file formats themselves are read and written by the core (``crates/bytepair-core/src/format``).
"""

from __future__ import annotations

from bytepair.formats.loading import load
from bytepair.formats.saving import save

__all__ = ["load", "save"]
