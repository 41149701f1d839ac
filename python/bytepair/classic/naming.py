"""Names and saved files → tokenizers of the older kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bytepair.classic.base import MARK, Classic
from bytepair.classic.byte import ByteTokenizer
from bytepair.classic.char import CharTokenizer, CodePointTokenizer
from bytepair.classic.dictionary import DictionaryTokenizer
from bytepair.classic.hybrid import HybridTokenizer
from bytepair.classic.word import WordTokenizer
from bytepair.errors import FormatError

__all__ = ["find", "from_content"]

#: What stands before the colon of a name.
NAMED: dict[str, type[Classic]] = {
    kind.kind: kind
    for kind in (ByteTokenizer, CharTokenizer, WordTokenizer, DictionaryTokenizer, HybridTokenizer)
}
#: What a saved file can hold.
SAVED: dict[str, type[Classic]] = {**NAMED, CodePointTokenizer.kind: CodePointTokenizer}


def find(name: str) -> Classic | None:
    """The tokenizer of a name such as ``char`` or ``char:corpus.txt``; ``None`` for other names.

    >>> find("byte").encode("!")
    [33]
    >>> find("gpt2") is None
    True
    """
    kind, _, argument = name.partition(":")
    if kind not in NAMED:
        return None
    tokenizer = NAMED[kind].from_argument(argument)
    tokenizer.name = name
    return tokenizer


def from_content(content: Mapping[str, Any], place: str) -> Classic:
    """The tokenizer of a saved file, whichever its kind; ``place`` is what messages call it."""
    kind = content.get(MARK)
    if not isinstance(kind, str) or kind not in SAVED:
        known = ", ".join(f"`{each}`" for each in SAVED)
        raise FormatError(f"{place} holds a `{kind}`, which is no kind of tokenizer", hint=known)
    return SAVED[kind].from_content(content, place)
