"""Cut text into pretokens: BPE never merges across their borders.

Adds the pattern to the first rung. The pretokens of a text, joined, are the text again, whatever
the pattern and whatever the bytes.
"""

from __future__ import annotations

import codecs
import difflib
import re
from itertools import pairwise

from bytepair.reference.pattern import compile_pattern

Pattern = str | tuple[str, ...] | None

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
    if pattern in ("", ()):
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
    for stage in stages(pattern):
        compiled = compile_pattern(stage)
        pieces = [cut for piece in pieces for cut in split_once(compiled, piece)]
    return pieces


def split_once(compiled: re.Pattern[str], data: bytes) -> list[bytes]:
    """Each match is a piece, and so is each stretch between matches; empty matches are ignored."""
    marked = decode_marked(data)
    text = marked.translate(AS_REPLACEMENT)
    borders = [0]
    at = 0
    while at <= len(text) and (found := compiled.search(text, at)):
        if found.start() == found.end():
            at = found.end() + 1
            continue
        borders += [found.start(), found.end()]
        at = found.end()
    borders.append(len(text))
    pieces = [marked[start:end] for start, end in pairwise(borders) if start < end]
    return encode_marked(pieces, data)


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
