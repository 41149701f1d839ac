"""The older ways of cutting text, as real tokenizers: what BPE on bytes is measured against.

In reading order; each file opens with what it adds to the one before.

| file | a token is | by name |
|---|---|---|
| ``byte`` | a byte | ``byte`` |
| ``char`` | a character | ``char:corpus.txt`` |
"""

from __future__ import annotations

from bytepair.classic.base import Classic, content_of
from bytepair.classic.byte import ByteTokenizer
from bytepair.classic.char import CharTokenizer, CodePointTokenizer
from bytepair.classic.naming import find, from_content

__all__ = [
    "ByteTokenizer",
    "CharTokenizer",
    "Classic",
    "CodePointTokenizer",
    "content_of",
    "find",
    "from_content",
]
