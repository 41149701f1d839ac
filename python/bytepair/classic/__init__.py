"""The older ways of cutting text, as real tokenizers: what BPE on bytes is measured against.

In reading order; each file opens with what it adds to the one before.

| file | a token is | by name |
|---|---|---|
| ``byte`` | a byte | ``byte`` |
| ``char`` | a character | ``char``, ``char:corpus.txt`` |
| ``word`` | a word, by blanks or by Unicode's rules | ``word:corpus.txt`` |
| ``dictionary`` | a word of a list | ``dict:words.txt``, ``dict:jieba`` |
| ``hybrid`` | a word of a list, or a character | ``hybrid:words.txt`` |

``unicode_forms`` is the account of a text in UTF-8, UTF-16 and UTF-32.
"""

from __future__ import annotations

from bytepair.classic.base import Classic, content_of
from bytepair.classic.byte import ByteTokenizer
from bytepair.classic.char import CharTokenizer, CodePointTokenizer
from bytepair.classic.dictionary import DictionaryTokenizer
from bytepair.classic.hybrid import HybridTokenizer
from bytepair.classic.naming import find, from_content
from bytepair.classic.unicode_forms import UnicodeForms, unicode_forms
from bytepair.classic.word import WordTokenizer

__all__ = [
    "ByteTokenizer",
    "CharTokenizer",
    "Classic",
    "CodePointTokenizer",
    "DictionaryTokenizer",
    "HybridTokenizer",
    "UnicodeForms",
    "WordTokenizer",
    "content_of",
    "find",
    "from_content",
    "unicode_forms",
]
