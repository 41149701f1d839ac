"""bytepair: bytes in, ids out, and every step can be seen.

>>> import bytepair
>>> tok = bytepair.load("o200k_base")
>>> tok.encode("Tokenizers are fun")
[4421, 24223, 553, 2827]
>>> tok.decode([4421, 24223])
'Tokenizers'

Four ways in: ``load`` a tokenizer by name or file, ``train`` one on your own text, look at the
``Tokenizer`` that both give, and read ``bytepair.reference``, which says in plain Python what all
of it means.

Importing this module loads nothing heavy: each name is resolved when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bytepair.decoding import DecodeStream
    from bytepair.errors import (
        BytepairError,
        FormatError,
        HubError,
        PatternError,
        SpecialTokenError,
        TrainingWarning,
        UnknownNameError,
        VocabError,
    )
    from bytepair.formats import load
    from bytepair.ragged import Ragged
    from bytepair.registry import info, names
    from bytepair.sources import files
    from bytepair.tokenizer import Tokenizer
    from bytepair.training import Counts, count_pretokens, train

__version__ = "0.1.0"

__all__ = [
    "BytepairError",
    "Counts",
    "DecodeStream",
    "FormatError",
    "HubError",
    "PatternError",
    "Ragged",
    "SpecialTokenError",
    "Tokenizer",
    "TrainingWarning",
    "UnknownNameError",
    "VocabError",
    "count_pretokens",
    "files",
    "info",
    "load",
    "names",
    "train",
]

_HOMES = {
    "errors": (
        "BytepairError FormatError HubError PatternError SpecialTokenError TrainingWarning "
        "UnknownNameError VocabError"
    ),
    "formats": "load",
    "registry": "info names",
    "sources": "files",
    "decoding": "DecodeStream",
    "ragged": "Ragged",
    "tokenizer": "Tokenizer",
    "training": "Counts count_pretokens train",
}
_HOME_OF = {name: home for home, homed in _HOMES.items() for name in homed.split()}


#: Packages of their own, which `import bytepair` makes reachable without loading them.
_PACKAGES = ("classic", "reference", "studies", "texts")


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f"bytepair.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'bytepair' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"bytepair.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
