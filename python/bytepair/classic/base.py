"""What the older tokenizers have in common, so that each can be used wherever one is asked for.

``Classic`` is the face that all of them have (``bytepair.protocol.TokenizerLike`` and more). A
rival says how it cuts (``tokens``), how its tokens are numbered (``ids``, ``token_bytes``, ``len``)
and what a saved file must hold (``state``, ``from_state``); the rest follows here. ``Table`` is for
those with a table of strings, where what the table does not hold becomes ``<UNK>``.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from bytepair.arguments import Text, as_id, join_surrogates, repair
from bytepair.errors import FormatError, SpecialTokenError, UnknownNameError, VocabError
from bytepair.writing import write_whole

__all__ = [
    "MARK",
    "UNKNOWN",
    "Classic",
    "Table",
    "as_bytes",
    "as_text",
    "content_of",
    "read_file",
    "read_lines",
    "several",
    "strings",
    "texts_of",
]

#: What stands for every string that a table does not hold.
UNKNOWN = "<UNK>"

#: The first key of a saved file; its value is the ``kind``.
MARK = "bytepair"


def as_text(text: Text) -> str:
    """The text as characters: surrogates as every call of this package reads them, and bytes that
    are no UTF-8 as U+FFFD.

    >>> as_text(b"a\\xff")
    'a\ufffd'
    """
    return repair(text) if isinstance(text, str) else as_bytes(text).decode("utf-8", "replace")


def as_bytes(text: Text) -> bytes:
    """The text's UTF-8; bytes are kept as they are."""
    if isinstance(text, str):
        return repair(text).encode()
    if isinstance(text, bytes | bytearray | memoryview):
        return bytes(text)
    # `bytes` would take a number for a length, and a list of numbers for a text.
    raise TypeError(f"expected text (`str` or `bytes`), not `{type(text).__name__}`")


def several(texts: Iterable[Text]) -> Iterable[Text]:
    """The texts, not looked at; one text alone is refused, since its characters would be taken for
    texts."""
    if isinstance(texts, str | bytes | bytearray | memoryview):
        raise TypeError(
            f"expected an iterable of texts, not one text (`{type(texts).__name__}`): "
            "put it into a list"
        )
    return texts


def texts_of(texts: Iterable[Text]) -> Iterator[str]:
    """Each of ``several`` texts as characters."""
    return map(as_text, several(texts))


def read_file(argument: str, kind: str, what: str) -> bytes:
    """The file in ``KIND:FILE``; ``what`` says what it should hold."""
    if not argument:
        raise UnknownNameError(f"`{kind}` needs {what}", hint=f"`{kind}:FILE` names it")
    try:
        return Path(argument).read_bytes()
    except OSError as error:
        raise FormatError(f"`{argument}` cannot be read: {error.strerror}") from None
    except ValueError:
        raise FormatError(f"`{argument!a}` holds a zero byte, which no path has") from None


def read_lines(argument: str, kind: str, what: str) -> list[str]:
    """The lines of the file in ``KIND:FILE``, line ends kept; joined they are its text."""
    lines = read_file(argument, kind, what).splitlines(keepends=True)
    return [line.decode("utf-8", "replace") for line in lines]


def shown(number: int) -> str:
    """A number for a message; one of thousands of digits, which Python does not write, by bits."""
    bits = number.bit_length()
    return str(number) if bits <= 128 else f"a number of {bits:,} bits"


class Classic(ABC):
    """A tokenizer of an older kind."""

    #: The name of its kind: ``bytepair.load("KIND:…")``, and in saved files.
    kind: ClassVar[str]
    #: Whether ``decode(encode(text))`` is the text for every text whose tokens are all known.
    lossless: bool = True

    #: Whether tokens have numbers of a table, to be written down and fed to a model.
    numbered: ClassVar[bool] = True

    name: str | None = None

    # What a rival says ---------------------------------------------------------------------------

    @abstractmethod
    def tokens(self, text: Text) -> Sequence[Any]:
        """The text as it is cut, in order."""

    @abstractmethod
    def ids(self, text: Text) -> list[int]:
        """One id for each of ``tokens(text)``."""

    @abstractmethod
    def token_bytes(self, id: int) -> bytes:
        """The bytes of a token; ``VocabError`` if there is none with this id."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of tokens in the vocabulary."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """What a saved file must hold, as JSON can write it."""

    @classmethod
    @abstractmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """From such a state; ``KeyError``, ``TypeError`` or ``ValueError`` if it is none."""

    @classmethod
    def from_argument(cls, argument: str) -> Classic:
        """What ``KIND:ARGUMENT`` names; the argument is empty where there is none."""
        if argument:
            raise UnknownNameError(
                f"unknown tokenizer `{cls.kind}:{argument}`", hint=f"`{cls.kind}` stands alone"
            )
        return cls()

    # What follows ---------------------------------------------------------------------------------

    def encode(
        self,
        text: Text,
        *,
        allowed_special: Collection[str] = (),
        disallowed_special: Collection[str] = (),
    ) -> list[int]:
        """The ids of the text. These kinds have no special tokens: to allow or forbid all of them
        changes nothing, and to name one is a ``SpecialTokenError``."""
        self.check_special(allowed_special, disallowed_special)
        return self.ids(text)

    def check_special(self, *collections: Collection[str]) -> None:
        """Refuses a special token that is named: there are none."""
        for named in collections:
            if named and named != "all":
                raise SpecialTokenError(
                    f"`{next(iter(named))}`: `{self.kind}` has no special tokens"
                )

    def count(self, text: Text, *, allowed_special: Collection[str] = ()) -> int:
        """The number of ids that ``encode`` gives."""
        return len(self.encode(text, allowed_special=allowed_special))

    def encode_stream(
        self, chunks: Iterable[Text], *, allowed_special: Collection[str] = ()
    ) -> Iterator[int]:
        """The ids of the joined chunks. The whole text is held in memory."""
        parts = list(join_surrogates(chunks))
        texts = [part for part in parts if isinstance(part, str)]
        same = len(texts) == len(parts)
        text: Text = "".join(texts) if same else b"".join(map(as_bytes, parts))
        yield from self.encode(text, allowed_special=allowed_special)

    def decode_bytes(self, ids: Iterable[int], *, skip_special: bool = False) -> bytes:
        """The bytes of the ids; ``VocabError`` for an id that is none, with its place."""
        return b"".join(self.pieces(ids))

    def decode(self, ids: Iterable[int], errors: str = "replace") -> str:
        """The text of the ids; ``errors`` as in ``bytes.decode``, for bytes that are no UTF-8."""
        return self.decode_bytes(ids).decode("utf-8", errors)

    def pieces(self, ids: Iterable[int]) -> Iterator[bytes]:
        known: dict[int, bytes] = {}  # to look a token up and check its id takes microseconds
        for place, id in enumerate(ids):
            piece = known.get(id) if type(id) is int else None
            if piece is None:
                try:
                    piece = self.token_bytes(id)
                except VocabError as error:
                    raise VocabError(f"{error.message} (item {place + 1:,} of the ids)") from None
                if self.numbered and type(id) is int:
                    known[id] = piece
            yield piece

    def unknowns(self, text: Text) -> list[str]:
        """Those of ``tokens(text)`` that the vocabulary does not hold, in order."""
        return []

    def unknown_rate(self, text: Text) -> float:
        """The share of ``tokens(text)`` that the vocabulary does not hold; 0 for no tokens."""
        tokens = len(self.tokens(text))
        return len(self.unknowns(text)) / tokens if tokens else 0.0

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a JSON file that ``bytepair.load`` reads; the old file stays if that fails."""
        content = {MARK: self.kind, "version": 1, **self.state()}
        write_whole({Path(path): (json.dumps(content, ensure_ascii=False) + "\n").encode()})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The tokenizer that ``save`` wrote; ``FormatError`` for anything else."""
        path = Path(path)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise FormatError(f"`{path}` cannot be read: {error.strerror}") from None
        tokenizer = cls.from_content(content_of(data, f"`{path}`"), f"`{path}`")
        tokenizer.name = path.stem
        return tokenizer

    @classmethod
    def from_content(cls, content: Mapping[str, Any], place: str) -> Self:
        """From what a saved file holds; ``place`` is what messages call it."""
        if content.get(MARK) != cls.kind:
            raise FormatError(f"{place} holds a `{content.get(MARK)}`, not a `{cls.kind}`")
        if content.get("version") != 1:
            raise FormatError(
                f"{place} is of version `{content.get('version')}`; this bytepair reads version 1"
            )
        try:
            return cls.from_state(content)
        except (KeyError, TypeError, ValueError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else error
            raise FormatError(f"{place} holds no `{cls.kind}` tokenizer: {reason}") from None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.state() == other.state()

    __hash__ = None  # type: ignore[assignment]  # equal by content, which may be large

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), self.state(), self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self):,} tokens>"


def content_of(data: bytes, place: str) -> dict[str, Any]:
    """The JSON object of a saved file, in which the kind of tokenizer stands under ``MARK``."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{place} is no JSON: {error}") from None
    if not isinstance(content, dict) or MARK not in content:
        raise FormatError(f"{place} is no saved tokenizer of `bytepair.classic`: no key `{MARK}`")
    return content


def restored(kind: type[Classic], state: Mapping[str, Any], name: str | None) -> Classic:
    """What ``pickle`` calls."""
    tokenizer = kind.from_state(state)
    tokenizer.name = name
    return tokenizer


class Table(Classic):
    """A tokenizer with a table of strings: ``<UNK>`` has id 0, and the others follow in order."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self._tokens = [UNKNOWN, *tokens]
        self._ids: dict[str, int] = {}
        for id, token in enumerate(self._tokens):
            if self._ids.setdefault(token, id) != id:
                raise VocabError(f"the token `{token}` is given twice")

    @property
    def vocab(self) -> dict[int, bytes]:
        """Every token by its id, ``<UNK>`` among them."""
        return {id: token.encode() for id, token in enumerate(self._tokens)}

    @property
    def unknown_id(self) -> int:
        """The id of ``<UNK>``."""
        return 0

    def ids(self, text: Text) -> list[int]:
        return self.numbers(self.tokens(text))

    def numbers(self, tokens: Iterable[str]) -> list[int]:
        """The id of each token, that of ``<UNK>`` for those that the table does not hold."""
        known = self._ids
        return [known.get(token, 0) for token in tokens]

    def unknowns(self, text: Text) -> list[str]:
        return [token for token in self.tokens(text) if not self._ids.get(token)]

    def token_bytes(self, id: int) -> bytes:
        number = as_id(id)
        if not 0 <= number < len(self._tokens):
            raise VocabError(
                f"no token has the id `{shown(number)}`; they end at {len(self._tokens) - 1}"
            )
        return self._tokens[number].encode()

    def pieces(self, ids: Iterable[int]) -> Iterator[bytes]:
        given = list(ids)
        if set(map(type, given)) == {int} and min(given) >= 0 and max(given) < len(self._tokens):
            return map(str.encode, map(self._tokens.__getitem__, given))
        return super().pieces(given)  # one by one, and an error that says which

    def token_id(self, token: str | bytes) -> int:
        """The id of a token; ``VocabError`` if the table does not hold it."""
        found = self._ids.get(as_text(token))
        if found is None:
            raise VocabError(f"`{as_text(token)}` is no token")
        return found

    def __len__(self) -> int:
        return len(self._tokens)

    def state(self) -> dict[str, Any]:
        return {"tokens": self._tokens[1:]}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls(strings(state["tokens"]))


def strings(value: object) -> list[str]:
    """A list of strings that are texts, from a file that may hold anything."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError("`tokens` is no list of strings")
    return [repair(each) for each in value]
