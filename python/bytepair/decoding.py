"""Decoding ids that come one by one."""

from __future__ import annotations

from typing import NoReturn, SupportsIndex, final

from bytepair import _core

__all__ = ["DecodeStream"]


@final
class DecodeStream:
    """Ids one by one → text, whole characters only.

    What ``push`` and ``finish`` give, joined, is what ``decode`` gives for all the ids. At most 3
    bytes are held back.

    >>> import bytepair
    >>> tok = bytepair.load("gpt2")
    >>> stream = tok.stream()
    >>> [stream.push(id) for id in tok.encode("a 🌍")], stream.finish()
    (['a', ' ', '', '🌍'], '')
    """

    __slots__ = ("_stream",)

    def __init__(self, stream: _core.DecodeStream) -> None:
        self._stream = stream

    def push(self, id: SupportsIndex) -> str:
        """The text that this id completes, often none. An unknown id raises ``VocabError`` and
        changes nothing."""
        return self._stream.push(id)

    def finish(self) -> str:
        """What is left: nothing, or U+FFFD where a character was cut off. The stream can be used
        afresh."""
        return self._stream.finish()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a DecodeStream stands in the middle of a text and can be neither copied nor pickled; "
            "Tokenizer.stream() makes another"
        )
