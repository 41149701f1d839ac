"""What callers give: texts, ids, tokens, limits; checked, and named where they are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import SupportsIndex

from bytepair.errors import SpecialTokenError

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


def as_token(token: object) -> bytes:
    if isinstance(token, bytes):
        return token
    kind = type(token).__name__
    raise TypeError(f"a token is `bytes`, not `{kind}`: `{token!r}`")


def as_id(id: object) -> int:
    if isinstance(id, SupportsIndex) and not isinstance(id, bool):
        return id.__index__()
    raise TypeError(f"an id is an `int`, not `{type(id).__name__}`: `{id!r}`")


def special_text(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"a special token is a `str`, not `{type(text).__name__}`: `{text!r}`")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise SpecialTokenError(
            f"the special token `{text!a}` holds a lone surrogate, which no text has"
        ) from None
    return text


def numbered(texts: Iterable[str], first: int) -> dict[str, int]:
    if isinstance(texts, str):
        raise TypeError(f"special_tokens is a collection of texts, not the one text `{texts}`")
    numbered: dict[str, int] = {}
    for text in texts:
        if text in numbered:
            raise SpecialTokenError(f"the special token `{text}` is given twice")
        numbered[special_text(text)] = first + len(numbered)
    return numbered


def text_list(texts: Iterable[Text]) -> list[Text]:
    if isinstance(texts, str | bytes | bytearray):
        raise TypeError(f"expected an iterable of texts, not one text (`{type(texts).__name__}`)")
    return texts if isinstance(texts, list) else list(texts)


def thread_count(threads: int | None) -> int:
    if threads is None:
        return 0
    if threads < 1:
        raise ValueError(f"threads `{threads}`: at least 1, or None for all cores")
    return threads


def token_limit(max_tokens: int) -> int:
    if max_tokens < 0:
        raise ValueError(f"max_tokens `{max_tokens}`: at least 0")
    return max_tokens
