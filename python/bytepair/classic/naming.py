"""Names and saved files → tokenizers of the older kinds, each imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from bytepair.classic.base import MARK, Classic
from bytepair.errors import FormatError, UnknownNameError

__all__ = ["find", "from_content"]

#: What stands before the colon of a name, and in saved files: its module and class.
NAMED = {
    "byte": ("byte", "ByteTokenizer"),
    "char": ("char", "CharTokenizer"),
    "word": ("word", "WordTokenizer"),
    "dict": ("dictionary", "DictionaryTokenizer"),
    "hybrid": ("hybrid", "HybridTokenizer"),
    "charbpe": ("charbpe", "CharBPETokenizer"),
    "stride": ("patches", "StridePatcher"),
    "space": ("patches", "SpacePatcher"),
    "entropy": ("entropy", "EntropyPatcher"),
}
#: The kinds that are names by themselves.
ALONE = {"byte", "char", "space"}
#: The ways of a kind that a name can ask for, as in `dict-backward:words.txt`, and their option.
WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "word": ("by", ("space", "unicode")),
    "dict": ("method", ("forward", "backward", "bidirectional", "frequency")),
}
#: What a saved file can hold.
SAVED = {**NAMED, "code-point": ("char", "CodePointTokenizer")}


def kind_of(home: tuple[str, str]) -> type[Classic]:
    module, name = home
    found: type[Classic] = getattr(importlib.import_module(f"bytepair.classic.{module}"), name)
    return found


def find(name: str) -> Classic | None:
    """The tokenizer of a name such as ``char`` or ``char:corpus.txt``; ``None`` for other names.

    >>> find("byte").encode("!")
    [33]
    >>> find("gpt2") is None
    True
    """
    before, colon, argument = name.partition(":")
    kind, hyphen, way = before.partition("-")
    if kind not in NAMED or (hyphen and not colon):
        return None
    if colon and not argument and kind in ALONE:
        raise UnknownNameError(f"`{name}` has nothing after its colon", hint=f"`{kind}` is a name")
    option, ways = WAYS.get(kind, ("", ()))
    if hyphen and way not in ways:
        known = ", ".join(f"`{kind}-{each}:`" for each in ways) or f"`{kind}` has no ways"
        raise UnknownNameError(f"unknown tokenizer `{name}`", hint=known)
    # Which options a kind has, `WAYS` says.
    from_argument: Any = kind_of(NAMED[kind]).from_argument
    tokenizer: Classic = from_argument(argument, **({option: way} if hyphen else {}))
    tokenizer.name = name
    return tokenizer


def from_content(content: Mapping[str, Any], place: str) -> Classic:
    """The tokenizer of a saved file, whichever its kind; ``place`` is what messages call it."""
    kind = content.get(MARK)
    if not isinstance(kind, str) or kind not in SAVED:
        known = ", ".join(f"`{each}`" for each in SAVED)
        raise FormatError(f"{place} holds a `{kind}`, which is no kind of tokenizer", hint=known)
    return kind_of(SAVED[kind]).from_content(content, place)
