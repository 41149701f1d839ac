"""Cut text into pretokens: BPE never merges across their borders.

Adds the pattern to the first rung. The pretokens of a text, joined, are the text again, whatever
the pattern and whatever the bytes.
"""

from __future__ import annotations

import codecs
import difflib
import re
from collections.abc import Callable
from itertools import pairwise

from bytepair.reference.bpe import PRINTABLE
from bytepair.reference.pattern import compile_pattern

Pattern = str | tuple[str, ...] | None
Cut = Callable[[re.Pattern[str], bytes], list[bytes]]

# What the pattern of a stage starts with that reads bytes, not text: each byte as one character,
# itself where that can be printed, else the next one from U+0100 on.
BYTE_ALPHABET = "(?#byte alphabet)"
OTHERS = [byte for byte in range(256) if byte not in PRINTABLE]
ALPHABET = [chr(byte if byte in PRINTABLE else 256 + OTHERS.index(byte)) for byte in range(256)]

# Each name's stages: the first cuts the text, each later one cuts the pieces of the one before.
NAMED: dict[str, tuple[str, ...]] = {
    "gpt2": (r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",),
    "cl100k": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    ),
    "o200k": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "llama3": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "qwen2": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "deepseek_v3": (
        r"\p{N}{1,3}",
        "[一-龥\u3040-ゟ゠-ヿ]+",
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"
        "|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "kimi_k2": (
        r"[\p{Han}]+"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*"
        r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+"
        r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
}


def stages(pattern: Pattern) -> tuple[str, ...]:
    """The regular expressions behind a name, an expression, or several of either.

    >>> stages("gpt2") == NAMED["gpt2"]
    True
    """
    if pattern is None:
        return ()
    if pattern in ("", (), BYTE_ALPHABET):
        raise ValueError("the pattern is empty; give None to make each text one pretoken")
    if isinstance(pattern, tuple):
        return tuple(stage for one in pattern for stage in stages(one))
    if pattern in NAMED:
        return NAMED[pattern]
    if re.fullmatch(r"[A-Za-z0-9_.-]+", pattern):
        near = difflib.get_close_matches(pattern, NAMED)
        names = ", ".join(f"`{name}`" for name in near or NAMED)
        hint = f"did you mean {names}?" if near else f"the names are {names}"
        raise ValueError(f"unknown pattern `{pattern}`; {hint}")
    return (pattern,)


def split(pattern: Pattern, data: bytes) -> list[bytes]:
    """The pretokens of `data`, in order.

    >>> split("gpt2", b"it's 10 km")
    [b'it', b"'s", b' 10', b' km']
    """
    pieces = [data] if data else []
    for compiled, cut in compiled_stages(pattern):
        pieces = [part for piece in pieces for part in cut(compiled, piece)]
    return pieces


def compiled_stages(pattern: Pattern) -> list[tuple[re.Pattern[str], Cut]]:
    """Each stage, compiled, and whether it cuts text or the bytes of text."""
    compiled: list[tuple[re.Pattern[str], Cut]] = []
    for stage in stages(pattern):
        over_bytes = stage.startswith(BYTE_ALPHABET)
        if compiled and compiled[-1][1] is split_bytes and not over_bytes:
            raise ValueError(f"the stage `{stage}` reads text, and the one before it bytes")
        cut = split_bytes if over_bytes else split_once
        compiled.append((compile_pattern(stage.removeprefix(BYTE_ALPHABET)), cut))
    return compiled


def split_once(compiled: re.Pattern[str], data: bytes) -> list[bytes]:
    """The pieces of the text, ill-formed bytes read as U+FFFD."""
    marked = decode_marked(data)
    spans = borders(compiled, marked.translate(AS_REPLACEMENT))
    return encode_marked([marked[start:end] for start, end in spans], data)


def split_bytes(compiled: re.Pattern[str], data: bytes) -> list[bytes]:
    """The pieces of the bytes, each read as its character in GPT-2's alphabet.

    >>> split_bytes(re.compile("[0-9\xb2]"), "1\xf2".encode())
    [b'1', b'\\xc3', b'\\xb2']
    """
    text = "".join(ALPHABET[byte] for byte in data)
    return [data[start:end] for start, end in borders(compiled, text)]


def borders(compiled: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Each match is a piece, and so is each stretch between matches; empty matches are ignored."""
    found_at = [0]
    at = 0
    while at <= len(text) and (found := compiled.search(text, at)):
        if found.start() == found.end():
            at = found.end() + 1
            continue
        found_at += [found.start(), found.end()]
        at = found.end()
    found_at.append(len(text))
    return [(start, end) for start, end in pairwise(found_at) if start < end]


# A maximal ill-formed run of one, two or three bytes is decoded as a lone surrogate that tells its
# length: no text holds these. The pattern sees U+FFFD instead.
ILL_FORMED = {chr(0xD800 + length): length for length in (1, 2, 3)}
AS_REPLACEMENT = {ord(mark): "\ufffd" for mark in ILL_FORMED}


def mark_ill_formed(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return chr(0xD800 + error.end - error.start), error.end


codecs.register_error("bytepair.reference.mark", mark_ill_formed)


def decode_marked(data: bytes) -> str:
    return data.decode("utf-8", "bytepair.reference.mark")


def encode_marked(pieces: list[str], data: bytes) -> list[bytes]:
    """The bytes of each piece: the pieces, joined, are `decode_marked(data)`."""
    encoded = []
    start = 0
    for piece in pieces:
        marks = sum(3 - ILL_FORMED[character] for character in piece if character in ILL_FORMED)
        end = start + len(piece.encode("utf-8", "surrogatepass")) - marks
        encoded.append(data[start:end])
        start = end
    return encoded
