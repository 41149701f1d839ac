"""SentencePiece's files: a model as one message of Protocol Buffers, read with nothing but Python.

What it adds: the other half of the field. Such a file holds the pieces with their scores, the way
to normalize a text before it is cut, and whether pieces are put together by merging (BPE) or by
likelihood (Unigram).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

__all__ = ["Kind", "Normalization", "Piece", "SentencePieceFile", "read_model"]


class Kind(IntEnum):
    """What a piece is, by the numbers of the file."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


@dataclass(frozen=True)
class Piece:
    text: str
    score: float
    kind: Kind


@dataclass(frozen=True)
class Normalization:
    """The rules for a text before it is cut, or after it was put together."""

    name: str = ""
    charsmap: bytes = b""
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True


@dataclass(frozen=True)
class SentencePieceFile:
    """What a file says. ``model_type`` is ``"unigram"``, ``"bpe"``, ``"word"`` or ``"char"``."""

    pieces: list[Piece]
    model_type: str = "unigram"
    treat_whitespace_as_suffix: bool = False
    byte_fallback: bool = False
    unk_surface: str = " \u2047 "
    normalization: Normalization = field(default_factory=Normalization)
    denormalization: Normalization = field(default_factory=Normalization)
    #: (text, its pieces with blanks between): what the model must give, put there by its trainer.
    self_test: list[tuple[str, str]] = field(default_factory=list)


MODEL_TYPES = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}

#: Numbers as wire type 0, 64 and 32 bits as they are, bytes with their length before them.
Value = int | bytes


def read_model(data: bytes) -> SentencePieceFile:
    """The model of a file's bytes; ``ValueError`` where they are none."""
    pieces: list[Piece] = []
    trainer: dict[int, Value] = {}
    normalization = denormalization = Normalization()
    self_test: list[tuple[str, str]] = []
    for number, value in fields(data):
        if number == 1:
            pieces.append(piece_of(as_bytes(value, "a piece")))
        elif number == 2:
            trainer = dict(fields(as_bytes(value, "the trainer's options")))
        elif number == 3:
            normalization = normalization_of(as_bytes(value, "the normalizer's options"))
        elif number == 4:
            self_test = samples_of(as_bytes(value, "the samples"))
        elif number == 5:
            denormalization = normalization_of(as_bytes(value, "the denormalizer's options"))
    if not pieces:
        raise ValueError("the model has no pieces")
    if [piece.kind for piece in pieces].count(Kind.UNKNOWN) != 1:
        raise ValueError("a model has exactly one piece for what is unknown")
    model_type = trainer.get(3, 1)
    if isinstance(model_type, bytes) or model_type not in MODEL_TYPES:
        raise ValueError(f"`{model_type!r}` is no type of model")
    surface = as_bytes(trainer.get(44, " \u2047 ".encode()), "the unknown's surface")
    return SentencePieceFile(
        pieces,
        MODEL_TYPES[model_type],
        treat_whitespace_as_suffix=bool(trainer.get(24, 0)),
        byte_fallback=bool(trainer.get(35, 0)),
        unk_surface=surface.decode("utf-8", "replace"),
        normalization=normalization,
        denormalization=denormalization,
        self_test=self_test,
    )


def piece_of(data: bytes) -> Piece:
    found = dict(fields(data))
    score = struct.unpack("<f", as_bytes(found.get(2, b"\0\0\0\0"), "a score"))[0]
    kind = found.get(3, 1)
    if isinstance(kind, bytes) or kind not in list(Kind):
        raise ValueError(f"`{kind!r}` is no kind of piece")
    return Piece(as_bytes(found.get(1, b""), "a piece").decode(), score, Kind(kind))


def normalization_of(data: bytes) -> Normalization:
    found = dict(fields(data))
    return Normalization(
        as_bytes(found.get(1, b""), "a name").decode("utf-8", "replace"),
        as_bytes(found.get(2, b""), "the table of rules"),
        bool(found.get(3, 1)),
        bool(found.get(4, 1)),
        bool(found.get(5, 1)),
    )


def samples_of(data: bytes) -> list[tuple[str, str]]:
    samples = []
    for number, value in fields(data):
        if number == 1:
            sample = dict(fields(as_bytes(value, "a sample")))
            texts = (as_bytes(sample.get(key, b""), "a sample").decode() for key in (1, 2))
            samples.append((next(texts), next(texts)))
    return samples


def as_bytes(value: Value, what: str) -> bytes:
    if isinstance(value, bytes):
        return value
    raise ValueError(f"{what} is a number, where bytes were expected")


# ------------------------------------------------------------------ Protocol Buffers


def fields(data: bytes) -> Iterator[tuple[int, Value]]:
    """The fields of a message, in order: their numbers and values."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
            yield number, value
            continue
        if wire == 2:
            size, at = varint(data, at)
        elif wire in {1, 5}:
            size = 8 if wire == 1 else 4
        else:
            raise ValueError(f"byte {at}: a field of the kind `{wire}`, which these files have not")
        if size > len(data) - at:
            raise ValueError(f"byte {at}: a field of {size} bytes, and {len(data) - at} are left")
        yield number, data[at : at + size]
        at += size


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number in groups of seven bits, the low ones first, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise ValueError("the file ends inside a number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError(f"byte {at}: a number of more than ten bytes")
