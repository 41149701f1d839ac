"""What stands beside a ``.tiktoken`` file, which holds ranks alone: pattern, normalization, special
and added tokens."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bytepair.errors import FormatError
from bytepair.tokenizer import AddedToken, Tokenizer

if TYPE_CHECKING:
    from bytepair.pattern import Pattern

_FORMAT = "bytepair tiktoken sidecar"


@dataclass(frozen=True)
class Sidecar:
    """The recipe of a tokenizer whose ranks are in a file of their own."""

    pattern: Pattern
    normalization: str | None
    added: list[AddedToken]


def path_beside(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def of(tokenizer: Tokenizer) -> bytes:
    """The sidecar of a tokenizer as a file."""
    content = {
        "format": _FORMAT,
        "pattern": tokenizer.pattern,
        "normalization": tokenizer.normalization,
        "special_tokens": [t._asdict() for t in tokenizer._added()],
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode() + b"\n"


def read(path: Path) -> Sidecar:
    try:
        content = json.loads(path.read_bytes())
        if content["format"] != _FORMAT:
            raise ValueError(f"its format is `{content['format']}`")
        pattern, normalization = content["pattern"], content["normalization"]
        if not isinstance(pattern, str | list | None):
            raise TypeError(f"its pattern is `{pattern}`")
        if normalization not in ("nfc", "prefix_space", "nfc+prefix_space", None):
            raise ValueError(f"its normalization is `{normalization}`")
        return Sidecar(
            tuple(pattern) if isinstance(pattern, list) else pattern,
            normalization,
            [_added_token(**token) for token in content["special_tokens"]],
        )
    except KeyError as error:
        raise FormatError(f"`{path}` lacks the entry {error}") from None
    except (ValueError, TypeError) as error:
        raise FormatError(f"`{path}` is no sidecar of a .tiktoken file: {error}") from None


def _added_token(text: str, id: int, **flags: bool) -> AddedToken:
    kinds = (type(text), type(id), *map(type, flags.values()))
    if kinds != (str, int, *[bool] * len(flags)):
        raise TypeError(f"the special token `{text}` has an id or flag of another type")
    return AddedToken(text, id, **flags)
