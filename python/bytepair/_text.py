"""Texts as callers give them: ``str``, perhaps with surrogates, or bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Text = str | bytes | bytearray | memoryview


def repair(text: str) -> str:
    """The text with pairs of surrogates joined and lone ones as U+FFFD, as every call reads it."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def join_surrogates(chunks: Iterable[Text]) -> Iterator[Text]:
    """The chunks with a surrogate pair that was cut in two put together again."""
    held = ""
    for chunk in chunks:
        if isinstance(chunk, str):
            text = held + chunk
            held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
            yield text[:-1] if held else text
        else:
            if held:
                yield held
                held = ""
            yield chunk
    if held:
        yield held


def original_positions(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in the repaired text as spans in the text as given, where a joined pair takes two
    places."""
    repaired = repair(text)
    if len(repaired) == len(text):
        return spans
    starts = [0]
    for character in repaired:
        at = starts[-1]
        starts.append(at + (2 if character > "\uffff" and text[at] != character else 1))
    return [(starts[start], starts[end]) for start, end in spans]
