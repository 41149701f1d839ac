"""The older ways of cutting text, as real tokenizers: what BPE on bytes is measured against.

In reading order; each file opens with what it adds to the one before.

| file | a token is | by name |
|---|---|---|
| ``byte`` | a byte | ``byte`` |
| ``char`` | a character | ``char``, ``char:corpus.txt`` |
| ``word`` | a word, by blanks or by Unicode's rules | ``word:corpus.txt`` |
| ``dictionary`` | a word of a list | ``dict:words.txt``, ``dict:jieba`` |
| ``hybrid`` | a word of a list, or a character | ``hybrid:words.txt`` |
| ``charbpe`` | a piece of a word, made of characters by merges | ``charbpe:codes.txt`` |
| ``patches`` | a patch of bytes: every k, or by what looks like a blank | ``stride:4``, ``space`` |
| ``entropy`` | a patch of bytes: where the next one is hard to foresee | ``entropy:corpus.txt`` |

``encoding_forms`` is the account of a text in UTF-8, UTF-16 and UTF-32, ``byte_model`` what patches
by entropy foresee with, ``patch_metrics`` what patches are like. ``base`` has what all tokenizers
share, ``naming`` the names.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bytepair.classic.base import Classic, content_of
    from bytepair.classic.byte import ByteTokenizer
    from bytepair.classic.char import CharTokenizer, CodePointTokenizer
    from bytepair.classic.charbpe import CharBPETokenizer
    from bytepair.classic.dictionary import DictionaryTokenizer
    from bytepair.classic.encoding_forms import UnicodeForms, unicode_forms
    from bytepair.classic.entropy import EntropyPatcher
    from bytepair.classic.hybrid import HybridTokenizer
    from bytepair.classic.naming import find, from_content
    from bytepair.classic.patches import SpacePatcher, StridePatcher
    from bytepair.classic.word import WordTokenizer

__all__ = [
    "ByteTokenizer",
    "CharBPETokenizer",
    "CharTokenizer",
    "Classic",
    "CodePointTokenizer",
    "DictionaryTokenizer",
    "EntropyPatcher",
    "HybridTokenizer",
    "SpacePatcher",
    "StridePatcher",
    "UnicodeForms",
    "WordTokenizer",
    "content_of",
    "find",
    "from_content",
    "unicode_forms",
]

_HOMES = {
    "base": "Classic content_of",
    "byte": "ByteTokenizer",
    "char": "CharTokenizer CodePointTokenizer",
    "charbpe": "CharBPETokenizer",
    "dictionary": "DictionaryTokenizer",
    "entropy": "EntropyPatcher",
    "hybrid": "HybridTokenizer",
    "naming": "find from_content",
    "patches": "SpacePatcher StridePatcher",
    "encoding_forms": "UnicodeForms unicode_forms",
    "word": "WordTokenizer",
}
_HOME_OF = {name: home for home, homed in _HOMES.items() for name in homed.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'bytepair.classic' has no attribute {name!r}")
    return getattr(importlib.import_module(f"bytepair.classic.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
