"""Training: texts → counts of pretokens → merges → a tokenizer."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Literal, final

from bytepair import _core
from bytepair import pattern as patterns
from bytepair.arguments import Text, numbered, thread_count
from bytepair.errors import FormatError, TrainingWarning, VocabError
from bytepair.pattern import Pattern
from bytepair.sources import Files, Source
from bytepair.tokenizer import Tokenizer

__all__ = ["Counts", "Ties", "count_pretokens", "train"]

Ties = Literal["bytes", "ids", "first", "huggingface"]
Errors = Literal["keep", "strict"]
# progress(phase, done, total): phase "read" counts bytes, "merge" merges; total may be unknown.
Progress = Callable[[str, int, int | None], object]

#: Texts that an iterable gives are counted so many characters at a time.
_BATCH = 16 * 2**20


@final
class Counts:
    """Pretokens and how often each occurs, with the pattern and the special tokens that cut them.

    ``len`` is the number of different pretokens, ``total`` of all. Counts made in several places
    add up with ``+``.

    >>> counts = count_pretokens(["low low lower"])
    >>> len(counts), counts.total, counts[b" low"]
    (3, 3, 1)
    >>> (counts + counts).total
    6
    """

    __slots__ = ("_counts", "pattern", "special_tokens")

    def __init__(self, pattern: Pattern = "gpt2", special_tokens: Iterable[str] = ()) -> None:
        self._counts = _core.Counts()
        self.pattern: tuple[str, ...] = tuple(patterns.stages(pattern))
        self.special_tokens: tuple[str, ...] = tuple(numbered(special_tokens, 0))

    @property
    def total(self) -> int:
        """The number of pretokens, each as often as it occurs."""
        return self._counts.total

    @property
    def text_bytes(self) -> int:
        """The bytes of the text that was counted, special tokens apart."""
        return self._counts.text_bytes

    def __len__(self) -> int:
        return len(self._counts)

    def __getitem__(self, pretoken: bytes) -> int:
        """How often a pretoken occurs, 0 for one that does not."""
        return self._counts.get(pretoken)

    def items(self) -> list[tuple[bytes, int]]:
        """Each pretoken and its count, in order of first appearance."""
        return self._counts.items()

    def __iter__(self) -> Iterator[bytes]:
        return (pretoken for pretoken, _ in self.items())

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        _check_recipe(self, other.pattern, other.special_tokens, "added to these")
        joined = object.__new__(Counts)
        joined._counts = self._counts.copy()
        joined._counts.merge(other._counts)
        joined.pattern, joined.special_tokens = self.pattern, self.special_tokens
        return joined

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        mine = (self.pattern, self.special_tokens, dict(self.items()))
        return mine == (other.pattern, other.special_tokens, dict(other.items()))

    __hash__ = None  # type: ignore[assignment]  # they can be added to while they are made

    def __repr__(self) -> str:
        return f"<bytepair.Counts {len(self):,} different pretokens, {self.total:,} in all>"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.pattern, self.special_tokens, self.items())


def _restore(
    pattern: tuple[str, ...], special_tokens: tuple[str, ...], items: list[tuple[bytes, int]]
) -> Counts:
    counts = Counts(pattern or None, special_tokens)
    for pretoken, count in items:
        counts._counts.add(pretoken, count)
    return counts


def _check_recipe(
    counts: Counts, pattern: tuple[str, ...], special_tokens: tuple[str, ...], use: str
) -> None:
    for what, own, other in (
        ("pattern", counts.pattern, pattern),
        ("special tokens", sorted(counts.special_tokens), sorted(special_tokens)),
    ):
        if own != other:
            raise ValueError(
                f"counts made with the {what} `{own}` cannot be {use}, whose {what} are `{other}`"
            )


def count_pretokens(
    source: Source,
    pattern: Pattern = "gpt2",
    special_tokens: Iterable[str] = (),
    *,
    errors: Errors = "keep",
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> Counts:
    """Cuts texts into pretokens and counts them; special tokens are split away first and not
    counted.

    ``errors="strict"`` refuses bytes that are no UTF-8, with file and offset (``FormatError``);
    ``"keep"`` takes them as they are. Files are read as a stream. The counts never depend on
    threads, chunks or the order of files.

    >>> count_pretokens(["a b", b"b b"]).items()
    [(b'a', 1), (b' b', 2), (b'b', 1)]
    """
    if errors not in ("keep", "strict"):
        raise ValueError(f'errors `{errors}`: one of "keep", "strict"')
    counts = Counts(pattern, special_tokens)
    counter = _core.Counter(list(counts.pattern), list(counts.special_tokens), errors == "strict")
    with _progress(progress) as report:
        if isinstance(source, Files):
            _count_files(counter, source, counts, thread_count(threads), report)
        else:
            _count_texts(counter, _checked(source), counts, thread_count(threads), report, "text")
    return counts


def _checked(source: Iterable[Text]) -> Iterable[Text]:
    if isinstance(source, str | bytes | bytearray | Path):
        kind = type(source).__name__
        raise TypeError(
            f"a source is files or an iterable of texts, not one `{kind}`\n"
            "hint: bytepair.files(path) for a file, [text] for a text"
        )
    if isinstance(source, Counts):
        raise TypeError("these are counts already; pass them to bytepair.train")
    return source


def _count_files(
    counter: _core.Counter, source: Files, counts: Counts, threads: int, report: Progress | None
) -> None:
    total = sum(path.stat().st_size for path in source.paths)
    before = 0
    for path, kind in zip(source.paths, source.formats, strict=True):
        start = before  # bound anew for each file, as `told` below needs it

        def told(phase: str, done: int, _: int | None, start: int = start) -> None:
            if report is not None:
                report(phase, start + done, total)

        try:
            if kind == "jsonl":
                texts = _json_lines(path, source.field)
                _count_texts(counter, texts, counts, threads, told, "line")
            else:
                separator = None if source.separator is None else source.separator.encode()
                counter.count_file(path, separator, counts._counts, threads, told)
        except FormatError as error:
            raise FormatError(f"`{path}`: {error.message}", hint=error.hint) from None
        before += path.stat().st_size
    if report is not None:
        report("read", total, total)


def _json_lines(path: Path, field: str) -> Iterator[str]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                text = json.loads(line)[field]
            except (ValueError, KeyError, TypeError, IndexError) as error:
                reason = (
                    f"has no field `{field}`"
                    if isinstance(error, KeyError)
                    else "is no JSON object"
                )
                raise FormatError(f"line {number} {reason}") from None
            if not isinstance(text, str):
                raise FormatError(
                    f"line {number}: the field `{field}` is no text but `{type(text).__name__}`"
                )
            yield text


def _count_texts(
    counter: _core.Counter,
    texts: Iterable[Text],
    counts: Counts,
    threads: int,
    report: Progress | None,
    unit: str,
) -> None:
    done = number = 0

    def told(phase: str, batch_done: int, _: int | None) -> None:
        if report is not None:
            report(phase, done + batch_done, None)

    texts = iter(texts)
    while batch := _batch(texts):
        try:
            counter.count_texts(batch, counts._counts, threads, told)
        except FormatError as error:
            raise FormatError(f"from {unit} {number}: {error.message}", hint=error.hint) from None
        done += sum(len(text) for text in batch)
        number += len(batch)


def _batch(texts: Iterator[Text]) -> list[Text]:
    batch: list[Text] = []
    size = 0
    for text in islice(texts, 100_000):
        batch.append(text)
        size += len(text)
        if size >= _BATCH:
            break
    return batch


class _progress:
    """What a caller's ``progress`` means: nothing, a bar on the terminal, or their own function."""

    def __init__(self, progress: Progress | bool | None) -> None:
        self._given = progress

    def __enter__(self) -> Progress | None:
        if self._given is None or self._given is False:
            return None
        if self._given is True:
            from bytepair.view.progress import TrainingProgress

            self._bar = TrainingProgress()
            self._bar.__enter__()
            return self._bar
        return self._given

    def __exit__(self, *error: object) -> None:
        if self._given is True:
            self._bar.__exit__(*error)


class _Default:
    """The pattern that is used where none is given: that of the counts, or else GPT-2's."""

    def __repr__(self) -> str:
        return "'gpt2'"


_DEFAULT = _Default()


def train(
    source: Source | Counts,
    vocab_size: int,
    *,
    pattern: Pattern | _Default = _DEFAULT,
    special_tokens: Iterable[str] | None = None,
    ties: Ties = "bytes",
    special_first: bool = False,
    min_count: int = 1,
    max_token_length: int | None = None,
    errors: Errors = "keep",
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> Tokenizer:
    """Learns a tokenizer from texts.

    ``vocab_size`` counts everything: the 256 bytes, the special tokens and the merges. ``pattern``
    is a name, a regular expression, a tuple of them (stages) or ``None``. ``special_tokens`` are
    split away before counting and never part of a merge; they get the last ids, or with
    ``special_first`` the first. ``ties`` chooses among pairs of equal count (the rules are in
    ``spec/README.md``), ``min_count`` ends the training at rarer pairs, ``max_token_length``
    (bytes) leaves longer tokens out. Training on ``Counts`` takes their pattern and special tokens;
    others are a ``ValueError``. ``progress`` is ``True`` for a bar on a terminal, or a function of
    phase, done and total.

    The same texts and options give the same tokenizer, whatever the threads and the order of the
    texts (``ties="first"`` looks at their order). Where no pair is left, or none that occurs
    ``min_count`` times, the result is smaller than asked for and a ``TrainingWarning`` names its
    size.

    >>> tok = train(["the cat in the hat sat on the mat"], 260, pattern=None, ties="ids")
    >>> tok.merges
    [(b'a', b't'), (b'at', b' '), (b't', b'h'), (b'th', b'e')]
    """
    given = source if isinstance(source, Counts) else None
    if isinstance(pattern, _Default):
        pattern = "gpt2" if given is None else given.pattern or None
    if special_tokens is None:
        special_tokens = () if given is None else given.special_tokens
    special_tokens = tuple(numbered(special_tokens, 0))
    wanted = _merges_wanted(vocab_size, len(special_tokens))
    if ties not in ("bytes", "ids", "first", "huggingface"):
        raise ValueError(f'ties `{ties}`: one of "bytes", "ids", "first", "huggingface"')
    if min_count < 1:
        raise ValueError(f"min_count `{min_count}`: at least 1")
    if max_token_length is not None and max_token_length < 1:
        raise ValueError(f"max_token_length `{max_token_length}`: at least 1 byte, or None")
    with _progress(progress) as report:
        if isinstance(source, Counts):
            counts = source
            _check_recipe(
                counts, tuple(patterns.stages(pattern)), special_tokens, "trained with this"
            )
        else:
            counts = count_pretokens(
                source, pattern, special_tokens, errors=errors, threads=threads, progress=report
            )
        merges, stopped = _core.train(
            counts._counts, wanted, ties, min_count, max_token_length, report
        )
    tokenizer = _numbered_tokenizer(merges, counts, special_first)
    if stopped is not None:
        warnings.warn(
            f"training ended at {len(tokenizer)} tokens, {vocab_size} were asked for: {stopped}",
            TrainingWarning,
            stacklevel=2,
        )
    return tokenizer


def _merges_wanted(vocab_size: int, special_tokens: int) -> int:
    smallest = 256 + special_tokens
    if vocab_size < smallest:
        raise VocabError(
            f"vocab_size `{vocab_size}` is too small",
            hint=f"it counts 256 bytes and {special_tokens} special tokens: {smallest} at least",
        )
    return vocab_size - smallest


def _numbered_tokenizer(
    merges: list[tuple[bytes, bytes]], counts: Counts, special_first: bool
) -> Tokenizer:
    specials = len(counts.special_tokens)
    first_byte = specials if special_first else 0
    first_special = 0 if special_first else 256 + len(merges)
    tokens = [*(bytes([byte]) for byte in range(256)), *(left + right for left, right in merges)]
    return Tokenizer.from_merges(
        merges,
        vocab=dict(enumerate(tokens, first_byte)),
        pattern=counts.pattern or None,
        special_tokens=dict(
            zip(counts.special_tokens, range(first_special, first_special + specials), strict=True)
        ),
    )
