"""A tokenizer of nothing but a list of tokens: views must work on anybody's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from bytepair.protocol import TokenizerLike


class ListTokenizer:
    """Cuts a text from left to right, the longest token first; ids are places in the list."""

    def __init__(self, tokens: Sequence[bytes], special_tokens: dict[str, int] | None = None):
        self.tokens = [*tokens, *(bytes([byte]) for byte in range(256))]
        self.special_tokens = special_tokens or {}

    @property
    def name(self) -> str:
        return "list"

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str | bytes) -> list[int]:
        data = text.encode("utf-8", "replace") if isinstance(text, str) else text
        ids = []
        while data:
            token = max((t for t in self.tokens if data.startswith(t)), key=len)
            ids.append(self.tokens.index(token))
            data = data[len(token) :]
        return ids

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        return b"".join(map(self.token_bytes, ids))

    def token_bytes(self, id: int) -> bytes:
        return self.tokens[id]


@pytest.fixture
def tokenizer() -> Callable[..., TokenizerLike]:
    """`tokenizer("token", b"or bytes", …)`."""

    def make(*tokens: str | bytes, **options: dict[str, int]) -> TokenizerLike:
        return ListTokenizer([t.encode() if isinstance(t, str) else t for t in tokens], **options)

    return make
