"""What every tokenizer has: the few methods that analysis, views and checks rely on, whoever made
the tokenizer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

__all__ = ["Inspectable", "TokenizerLike"]


@runtime_checkable
class TokenizerLike(Protocol):
    """A tokenizer of any kind."""

    @property
    def name(self) -> str | None: ...

    def __len__(self) -> int: ...

    def encode(self, text: str | bytes) -> list[int]: ...

    def decode_bytes(self, ids: Sequence[int]) -> bytes: ...

    def token_bytes(self, id: int) -> bytes: ...


@runtime_checkable
class Inspectable(TokenizerLike, Protocol):
    """A tokenizer whose parts can be looked at, as audits need."""

    @property
    def vocab(self) -> Mapping[int, bytes]: ...

    @property
    def merges(self) -> Sequence[tuple[bytes, bytes]]: ...

    @property
    def special_tokens(self) -> Mapping[str, int]: ...

    def pretokens(self, text: str | bytes) -> list[bytes]: ...

    def normalize(self, text: str | bytes) -> str: ...
