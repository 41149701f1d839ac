"""The fast tokenizer: the compiled core with Python's manners."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, TypeVar, final

from bytepair import _core
from bytepair import pattern as patterns
from bytepair.arguments import (
    Text,
    as_id,
    as_token,
    join_surrogates,
    numbered,
    original_positions,
    special_text,
    text_list,
    thread_count,
    token_limit,
)
from bytepair.decoding import DecodeStream
from bytepair.errors import VocabError
from bytepair.ragged import Ragged
from bytepair.resizing import first_merges

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

    from bytepair.pattern import Pattern

__all__ = ["AddedToken", "Tokenizer"]

Specials = Literal["all"] | Iterable[str]
_StrOrBytes = TypeVar("_StrOrBytes", str, bytes)
SpecialTokens = Mapping[str, int] | Iterable[str]


class AddedToken(NamedTuple):
    """A token that is matched by its text, before pretokens are cut; the flags are those of
    ``tokenizer.json``."""

    text: str
    id: int
    special: bool = True
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False
    normalized: bool = False


@final
class Tokenizer:
    """A byte-level BPE tokenizer. Immutable, picklable, safe to share between threads and after
    ``fork``.

    Get one from ``bytepair.load`` or ``bytepair.train``, or build it with ``from_merges`` and
    ``from_ranks``.

    Every call takes ``str`` or ``bytes``. In a ``str`` a pair of surrogates is joined and a lone
    one becomes U+FFFD. Bytes that are not UTF-8 are kept: a maximal ill-formed subsequence behaves
    in the pattern as U+FFFD does, and decodes to itself.

    >>> import bytepair
    >>> tok = bytepair.load("gpt2")
    >>> tok.encode(" hello")
    [23748]
    >>> len(tok), tok.vocab_size
    (50257, 50257)
    """

    __slots__ = ("_inner", "_name", "_recipe", "_vocab")

    _inner: _core.Tokenizer
    _name: str | None
    _recipe: str | None
    _vocab: dict[int, bytes] | None

    def __init__(self) -> None:
        raise TypeError(
            "a Tokenizer is not made directly: use bytepair.load, bytepair.train, "
            "Tokenizer.from_merges or Tokenizer.from_ranks"
        )

    @classmethod
    def _wrap(
        cls, core: _core.Tokenizer, name: str | None = None, recipe: str | None = None
    ) -> Tokenizer:
        """``recipe`` is the bundled name that loads exactly this tokenizer again."""
        self = object.__new__(cls)
        object.__setattr__(self, "_inner", core)
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_recipe", recipe)
        object.__setattr__(self, "_vocab", None)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Tokenizer is immutable; `{name}` cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Tokenizer is immutable; `{name}` cannot be deleted")

    # Building -----------------------------------------------------------------------------------

    @classmethod
    def from_merges(
        cls,
        merges: Iterable[tuple[bytes, bytes]],
        *,
        vocab: Mapping[int, bytes] | None = None,
        pattern: Pattern = "gpt2",
        special_tokens: SpecialTokens = (),
        normalization: str | None = None,
        ignore_merges: bool = False,
    ) -> Tokenizer:
        """From a merge list, first merge first.

        ``vocab`` fixes the ids, and may hold tokens that no merge makes; without it the ids are the
        256 bytes 0–255, then the merges. A special token may stand in it too, with the id that
        ``special_tokens`` gives it. With ``ignore_merges`` a pretoken that is a token is that
        token, whatever the merges say.

        Raises ``VocabError`` where a byte is missing, two ids share a token, or a merge needs a
        token that is not there.

        >>> tok = Tokenizer.from_merges([(b"l", b"o"), (b"lo", b"w")], special_tokens=["<end>"])
        >>> tok.encode("lower<end>", allowed_special="all")
        [257, 101, 114, 258]
        """
        merges = [(as_token(left), as_token(right)) for left, right in merges]
        tokens = (
            None if vocab is None else {as_id(id): as_token(token) for id, token in vocab.items()}
        )
        if tokens is not None and isinstance(special_tokens, Mapping):
            for text, id in special_tokens.items():
                if tokens.get(id) == text.encode("utf-8", "surrogatepass"):
                    del tokens[id]
        model = _core.Model.from_merges(merges, tokens, ignore_merges)
        return cls._assemble(model, pattern, special_tokens, normalization)

    @classmethod
    def from_ranks(
        cls,
        ranks: Mapping[bytes, int],
        *,
        pattern: Pattern,
        special_tokens: SpecialTokens = (),
        normalization: str | None = None,
    ) -> Tokenizer:
        """From ranks, as tiktoken has them: neighbours merge when their bytes joined are a token,
        the lowest rank first.

        The ids are the ranks, and a pretoken that is a token is that token.

        >>> ranks = {bytes([b]): b for b in range(256)} | {b"ab": 256, b"abc": 257}
        >>> Tokenizer.from_ranks(ranks, pattern=None).encode("abcab")
        [257, 256]
        """
        model = _core.Model.from_ranks(
            {as_token(token): as_id(rank) for token, rank in ranks.items()}
        )
        return cls._assemble(model, pattern, special_tokens, normalization)

    @classmethod
    def _assemble(
        cls,
        model: _core.Model,
        pattern: Pattern,
        special_tokens: SpecialTokens,
        normalization: str | None,
        *,
        name: str | None = None,
        recipe: str | None = None,
    ) -> Tokenizer:
        if not isinstance(special_tokens, Mapping):
            special_tokens = numbered(special_tokens, model.bound)
        added = [AddedToken(special_text(text), as_id(id)) for text, id in special_tokens.items()]
        core = _core.Tokenizer(model, patterns.stages(pattern), normalization, added)
        return cls._wrap(core, name, recipe)

    # Encoding -----------------------------------------------------------------------------------

    def encode(
        self, text: Text, *, allowed_special: Specials = (), disallowed_special: Specials = ()
    ) -> list[int]:
        """The ids of ``text``.

        A special token's text inside ``text`` is ordinary text, unless ``allowed_special``
        (``"all"`` or a collection of them) turns it on. One in ``disallowed_special`` (``"all"``:
        all that are not allowed) raises ``SpecialTokenError``.

        >>> import bytepair
        >>> tok = bytepair.load("gpt2")
        >>> tok.encode("<|endoftext|>")
        [27, 91, 437, 1659, 5239, 91, 29]
        >>> tok.encode("<|endoftext|>", allowed_special="all")
        [50256]
        """
        return self._inner.encode(text, allowed_special, disallowed_special)

    def encode_to_numpy(
        self, text: Text, *, allowed_special: Specials = (), disallowed_special: Specials = ()
    ) -> NDArray[np.uint32]:
        """As ``encode``, into an array of ``uint32`` and shape ``(tokens,)``."""
        return self._inner.encode_to_numpy(text, allowed_special, disallowed_special)

    def encode_batch(
        self,
        texts: Iterable[Text],
        *,
        threads: int | None = None,
        allowed_special: Specials = (),
        disallowed_special: Specials = (),
    ) -> list[list[int]]:
        """The ids of each text, over ``threads`` threads (all cores without it): the same as one by
        one."""
        return self._inner.encode_batch(
            text_list(texts), thread_count(threads), allowed_special, disallowed_special
        )

    def encode_batch_to_numpy(
        self,
        texts: Iterable[Text],
        *,
        threads: int | None = None,
        dtype: DTypeLike | None = None,
        allowed_special: Specials = (),
        disallowed_special: Specials = (),
    ) -> Ragged:
        """The ids of all texts in one array, and where each text's are.

        ``dtype`` is ``uint16`` or ``uint32``; without it the narrower one that holds every id of
        this tokenizer. A ``uint16`` that could not hold them all raises ``ValueError``.

        >>> import bytepair
        >>> ragged = bytepair.load("gpt2").encode_batch_to_numpy(["hello world", "", "hi"])
        >>> ragged.ids.dtype.name, ragged.ids.tolist(), ragged.offsets.tolist()
        ('uint16', [31373, 995, 5303], [0, 2, 2, 3])
        """
        wide = self._is_wide(dtype)
        ids, offsets = self._inner.encode_batch_to_numpy(
            text_list(texts), thread_count(threads), wide, allowed_special, disallowed_special
        )
        return Ragged(ids, offsets)

    def _is_wide(self, dtype: DTypeLike | None) -> bool:
        needed = self.vocab_size > 2**16
        if dtype is None:
            return needed
        import numpy as np

        asked = np.dtype(dtype)
        if asked == np.uint32:
            return True
        if asked != np.uint16:
            raise ValueError(f"dtype `{asked}`: ids are `uint16` or `uint32`")
        if needed:
            raise ValueError(
                "dtype `uint16` holds ids up to 65535; this tokenizer's go up to "
                f"{self.vocab_size - 1}: use `uint32`"
            )
        return False

    def encode_stream(
        self,
        chunks: Iterable[Text],
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = (),
    ) -> Iterator[int]:
        """The ids of the chunks joined, wherever they are cut: inside a character, a surrogate pair
        or a special token too.

        Memory is bounded with the named patterns and others of their form. Any other may look at
        any distance, so that the text is held until its next special token, or its end; so it is
        where a blank is put before the text (``normalization="prefix_space"``).

        >>> import bytepair
        >>> tok = bytepair.load("gpt2")
        >>> list(tok.encode_stream(["Hel", "lo wo", "rld"])) == tok.encode("Hello world")
        True
        """
        if isinstance(chunks, str | bytes | bytearray):
            raise TypeError("encode_stream takes an iterable of chunks; for one text use encode")
        stream = self._inner.encode_stream(allowed_special, disallowed_special)
        for chunk in join_surrogates(chunks):
            yield from stream.push(chunk)
        yield from stream.finish()

    # Counting and cutting to size ---------------------------------------------------------------

    def count(self, text: Text, *, allowed_special: Specials = ()) -> int:
        """How many ids ``encode`` gives, without building them. Special tokens in the text never
        raise.

        >>> import bytepair
        >>> bytepair.load("o200k_base").count("about <|endoftext|> tokens")
        9
        """
        return self._inner.count(text, allowed_special)

    def count_batch(
        self,
        texts: Iterable[Text],
        *,
        threads: int | None = None,
        allowed_special: Specials = (),
    ) -> NDArray[np.int64]:
        """The count of each text, shape ``(texts,)``."""
        return self._inner.count_batch(text_list(texts), thread_count(threads), allowed_special)

    def fits(self, text: Text, max_tokens: int) -> bool:
        """Whether ``count(text) <= max_tokens``; stops reading where it is clear that it does
        not."""
        return self._inner.fits(text, token_limit(max_tokens))

    def truncate(
        self,
        text: _StrOrBytes,
        max_tokens: int,
        side: Literal["right", "left", "middle"] = "right",
        *,
        mark: str = "…",
    ) -> _StrOrBytes:
        """The longest part of ``text``, in whole characters, with at most ``max_tokens`` tokens.

        ``side`` is what is cut off: ``"right"`` keeps the longest prefix *p* with
        ``count(p) <= max_tokens``, ``"left"`` the longest suffix, ``"middle"`` both ends with
        ``mark`` between them. A text that fits comes back as it is. Exact, although the count may
        fall where the text grows.

        >>> import bytepair
        >>> tok = bytepair.load("gpt2")
        >>> tok.truncate("one two three four five", 3)
        'one two three'
        >>> tok.truncate("one two three four five", 3, "left")
        ' three four five'
        """
        return self._inner.truncate(text, token_limit(max_tokens), side, mark)

    def chunks(self, text: _StrOrBytes, max_tokens: int, overlap: int = 0) -> list[_StrOrBytes]:
        """``text`` in pieces of whole characters with at most ``max_tokens`` tokens each.

        A piece ends where it hurts least: after a paragraph, else a line, a sentence, a blank; the
        place is looked for in the second half of what fits, so that no piece is tiny.
        With ``overlap`` each piece begins with up to that many tokens of the one before; without
        it the pieces joined are the text. Raises ``ValueError`` where one character alone has
        more than ``max_tokens`` tokens.

        >>> import bytepair
        >>> bytepair.load("gpt2").chunks("One two three. Four five. Six.", 5)
        ['One two three.', ' Four five. Six.']
        """
        return self._inner.chunks(text, token_limit(max_tokens), token_limit(overlap))

    # Where the ids come from --------------------------------------------------------------------

    def offsets(
        self,
        text: Text,
        *,
        unit: Literal["char", "byte"] = "char",
        allowed_special: Specials = (),
        disallowed_special: Specials = (),
    ) -> list[tuple[int, int]]:
        """For each id of the same call to ``encode`` the part of ``text`` that it stands for, as
        ``(start, end)``.

        Positions are those in the text as given, before normalization; nothing is trimmed. A token
        that holds part of a character gets the whole character; with ``unit="byte"`` (of the UTF-8)
        it gets its own bytes.

        >>> import bytepair
        >>> bytepair.load("gpt2").offsets("i ⭢ j")
        [(0, 1), (1, 3), (2, 3), (2, 3), (3, 5)]
        """
        if unit not in ("char", "byte"):
            raise ValueError(f'unit `{unit}`: one of "char", "byte"')
        spans = self._inner.offsets(text, unit == "byte", allowed_special, disallowed_special)
        if unit == "char" and isinstance(text, str):
            return original_positions(text, spans)
        return spans

    def pretokens(self, text: Text) -> list[bytes]:
        """What the pretokenizer cuts, after normalization; joined they are the normalized text.

        >>> import bytepair
        >>> bytepair.load("gpt2").pretokens("the cat's  hat")
        [b'the', b' cat', b"'s", b' ', b' hat']
        """
        return self._inner.pretokens(text)

    def normalize(self, text: Text) -> str:
        """The text as the pretokenizer gets it; ill-formed bytes show as U+FFFD."""
        return self._inner.normalize(text).decode("utf-8", "replace")

    # Decoding -----------------------------------------------------------------------------------

    def decode(
        self,
        ids: Iterable[SupportsIndex],
        errors: str = "replace",
        skip_special: bool = False,
        unknown: Literal["raise", "replace", "ignore"] = "raise",
    ) -> str:
        """The text of ``ids``: their bytes joined, then read as UTF-8.

        ``errors`` is Python's for ``bytes.decode``. An id that is in no token raises
        ``VocabError``, which says which and where; ``unknown="replace"`` gives U+FFFD for it,
        ``"ignore"`` leaves it out.

        >>> import bytepair
        >>> bytepair.load("gpt2").decode([15496, 11, 995])
        'Hello, world'
        """
        if errors == "replace":
            return self._inner.decode(ids, skip_special, unknown)
        return self._inner.decode_bytes(ids, skip_special, unknown).decode("utf-8", errors)

    def decode_bytes(
        self,
        ids: Iterable[SupportsIndex],
        skip_special: bool = False,
        unknown: Literal["raise", "replace", "ignore"] = "raise",
    ) -> bytes:
        """The bytes of ``ids``, which need not be UTF-8."""
        return self._inner.decode_bytes(ids, skip_special, unknown)

    def decode_batch(
        self,
        batch: Iterable[Iterable[SupportsIndex]],
        errors: str = "replace",
        skip_special: bool = False,
        unknown: Literal["raise", "replace", "ignore"] = "raise",
    ) -> list[str]:
        """``decode`` for each row; an error says which row it is in."""
        texts = []
        for row, ids in enumerate(batch):
            try:
                texts.append(self.decode(ids, errors, skip_special, unknown))
            except VocabError as error:
                raise VocabError(f"row {row}: {error.message}", hint=error.hint) from None
            except UnicodeDecodeError as error:
                error.add_note(f"in row {row}")
                raise
        return texts

    def stream(self, *, skip_special: bool = False) -> DecodeStream:
        """Decodes ids that come one by one; see ``DecodeStream``."""
        return DecodeStream(self._inner.decode_stream(skip_special))

    # Looking inside -----------------------------------------------------------------------------

    def token_bytes(self, id: SupportsIndex) -> bytes:
        """The bytes of a token, special or not; ``VocabError`` where no token has this id."""
        return self._inner.token_bytes(id)

    def token_id(self, token: Text) -> int:
        """The id of a token given as bytes or text; ``VocabError`` where it is none.

        >>> import bytepair
        >>> bytepair.load("gpt2").token_id(" SolidGoldMagikarp")
        43453
        """
        return self._inner.token_id(token)

    def __len__(self) -> int:
        """How many tokens there are, special ones included."""
        return len(self._inner)

    @property
    def vocab_size(self) -> int:
        """The highest id + 1: the rows that an embedding needs."""
        return self._inner.bound

    @property
    def vocab(self) -> dict[int, bytes]:
        """Id → bytes of all tokens but the special ones, by id. A new ``dict`` each time."""
        vocab = self._vocab
        if vocab is None:
            vocab = self._inner.model.vocab()
            others = {t.id: t.text.encode() for t in self.added_tokens if t.id not in vocab}
            vocab = dict(sorted((vocab | others).items()))
            object.__setattr__(self, "_vocab", vocab)
        return dict(vocab)

    @property
    def merges(self) -> list[tuple[bytes, bytes]]:
        """The merges by rank, each as the bytes of its two parts."""
        return self._inner.model.merges()

    @property
    def gaps(self) -> list[int]:
        """The ids below ``vocab_size`` that nothing holds, ascending."""
        held = {*self._inner.model.vocab(), *(token[1] for token in self._inner.added)}
        return [id for id in range(self.vocab_size) if id not in held]

    @property
    def pattern(self) -> str | tuple[str, ...] | None:
        """The regular expression; a tuple where there are several stages, ``None`` where there is
        none."""
        stages = self._inner.patterns
        if len(stages) > 1:
            return tuple(stages)
        return stages[0] if stages else None

    @property
    def normalization(self) -> str | None:
        """What is done to each stretch of text before it is cut: ``"nfc"``, ``"prefix_space"`` (a
        blank before it, unless it begins with one), ``"nfc+prefix_space"`` or ``None``. Decoding
        gives the normalized text."""
        return self._inner.normalization

    @property
    def ignore_merges(self) -> bool:
        """Whether a pretoken that is a token is looked up whole, so that tokens which no merges
        make are reached."""
        return self._inner.model.ignore_merges

    @property
    def special_tokens(self) -> dict[str, int]:
        """The tokens that follow ``allowed_special``, by id."""
        return {token.text: token.id for token in self._added() if token.special}

    @property
    def added_tokens(self) -> list[AddedToken]:
        """The tokens of a file that are matched by their text and not special: they always
        match."""
        return [token for token in self._added() if not token.special]

    def _added(self) -> list[AddedToken]:
        """The tokens that are matched by their text, special or not, by id."""
        return sorted(
            (AddedToken(*token) for token in self._inner.added), key=lambda token: token.id
        )

    @property
    def name(self) -> str | None:
        """What it was loaded as, ``None`` for a tokenizer that was built or trained."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """sha256 of the content: vocabulary, merges, pattern, normalization, special and added
        tokens."""
        return hashlib.sha256(self._content()).hexdigest()

    def _content(self) -> bytes:
        """All that results depend on, in one form for all ways to the same tokenizer."""
        core = self._inner
        rest = [core.patterns, core.normalization, self._added()]
        return json.dumps(rest, ensure_ascii=True).encode() + b"\n" + core.model.to_compact()

    # New tokenizers from this one ---------------------------------------------------------------

    def truncated(self, size: int) -> Tokenizer:
        """The tokenizer that training would have given at ``len(...) == size``: the first merges
        alone.

        Special tokens stay; those numbered after the merges move down behind the last one.

        >>> tok = Tokenizer.from_merges([(b"l", b"o"), (b"lo", b"w")], special_tokens=["<end>"])
        >>> small = tok.truncated(258)
        >>> small.merges, small.special_tokens
        ([(b'l', b'o')], {'<end>': 257})
        """
        merges, tokens = first_merges(self, size)
        added = self._added()
        # Added tokens that always match are part of `vocab`; the core holds them apart.
        apart = {t.id for t in added} - set(self._inner.model.vocab())
        tokens = {id: token for id, token in tokens.items() if id not in apart}
        model = _core.Model.from_merges(merges, tokens, self.ignore_merges)
        last = self._inner.model.bound - 1
        moved = last - max(tokens)
        added = [t._replace(id=t.id - moved) if t.id > last else t for t in added]
        return Tokenizer._wrap(
            _core.Tokenizer(model, self._inner.patterns, self._inner.normalization, added)
        )

    def with_special_tokens(self, special_tokens: SpecialTokens) -> Tokenizer:
        """The same with more special tokens: ``{text: id}``, or names to number from the next free
        id.

        >>> tok = Tokenizer.from_merges([(b"l", b"o")])
        >>> tok.with_special_tokens(["<user>", "<end>"]).special_tokens
        {'<user>': 257, '<end>': 258}
        """
        if not isinstance(special_tokens, Mapping):
            special_tokens = numbered(special_tokens, self.vocab_size)
        added = self._added()
        present = {token.text: token.id for token in added if token.special}
        new = [
            AddedToken(special_text(text), as_id(id))
            for text, id in special_tokens.items()
            if present.get(text) != id
        ]
        core = self._inner
        return Tokenizer._wrap(
            _core.Tokenizer(core.model, core.patterns, core.normalization, [*added, *new])
        )

    # Saving, copying, showing -------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the tokenizer; the format goes by the suffix, or ``format=``: ``"huggingface"``
        (``.json``), ``"tiktoken"`` (``.tiktoken``, with pattern and special tokens in
        ``NAME.tiktoken.json`` beside it) or ``"gpt2"`` (``vocab.json`` and ``merges.txt``; ``path``
        is one of them, or a folder that gets both).

        The file appears whole or not at all. What a format cannot hold raises ``FormatError``,
        which names it.
        """
        from bytepair.formats import save

        save(self, path, format)

    def clear_cache(self) -> None:
        """Forgets what was cached. Results never change by it."""
        self._inner.clear_cache()

    def __reduce__(self) -> tuple[Any, ...]:
        if self._recipe is not None:
            from bytepair.formats import load

            return load, (self._recipe,)
        core = self._inner
        return _restore, (
            core.model.to_compact(),
            core.patterns,
            core.normalization,
            core.added,
            self._name,
        )

    def __copy__(self) -> Tokenizer:
        return self

    def __deepcopy__(self, memo: object) -> Tokenizer:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tokenizer):
            return NotImplemented
        return self is other or self._content() == other._content()

    def __hash__(self) -> int:
        return hash((len(self), self.vocab_size, self.pattern))

    def __repr__(self) -> str:
        name = f"{self._name!r}, " if self._name else ""
        return (
            f"<bytepair.Tokenizer {name}{len(self):,} tokens, {len(self.special_tokens):,} special>"
        )

    def _repr_html_(self) -> str:
        from bytepair.view.html import tokenizer_html

        return tokenizer_html(self)


def _restore(
    model: bytes,
    stages: list[str],
    normalization: str | None,
    added: list[tuple[str, int, bool, bool, bool, bool, bool]],
    name: str | None,
) -> Tokenizer:
    core = _core.Tokenizer(_core.Model.from_compact(model), stages, normalization, added)
    return Tokenizer._wrap(core, name)
