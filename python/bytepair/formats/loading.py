"""A name, a file or a folder → a tokenizer."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

from bytepair import _core, classic, registry
from bytepair import pattern as patterns
from bytepair.classic import Classic
from bytepair.errors import BytepairError, FormatError, UnknownNameError
from bytepair.formats import gpt2_files, sidecar
from bytepair.pattern import Pattern
from bytepair.tokenizer import Tokenizer

__all__ = ["load"]


class _Unset:
    """Not given, where ``None`` means something."""

    def __repr__(self) -> str:
        return "<from the file>"


_UNSET = _Unset()

_SUFFIXES = {".json": "huggingface", ".tiktoken": "tiktoken"}


def load(
    name: str | os.PathLike[str],
    *,
    pattern: Pattern | _Unset = _UNSET,
    special_tokens: Mapping[str, int] | Iterable[str] | None = None,
) -> Tokenizer:
    """A tokenizer by name or from a file. No network is used.

    ``name`` is a bundled name (``bytepair.names()``) or a model that uses one (``"gpt-4o"``,
    ``"Qwen/Qwen2.5-7B"``), or the path of a ``tokenizer.json``, of a ``.tiktoken`` file, of a
    ``vocab.json`` with its ``merges.txt``, or of a folder that holds one of these. A bundled name
    comes before a file of that name; ``./NAME`` is always the file. ``byte``, ``char:corpus.txt``
    and the other names of ``bytepair.classic``, and files that its tokenizers saved, give those: a
    name does not tell a type checker, to which all are a ``Tokenizer``.

    ``pattern`` and ``special_tokens`` are for files that do not say them. ``.tiktoken`` files hold
    ranks alone: both are needed unless a ``NAME.tiktoken.json`` stands beside the file, with whose
    pattern ``pattern`` must then agree, or the file is one of the published ones. ``vocab.json``
    with ``merges.txt`` is GPT-2's format, so that its pattern is meant, and entries that no merge
    makes are special tokens. See ``docs/reference/formats.md`` for all that is read and refused.

    Raises ``UnknownNameError`` with the nearest names, and ``FormatError`` for a file that cannot
    be read, which says where.

    >>> load("gpt-4o").name
    'o200k_base'
    """
    told = not isinstance(pattern, _Unset) or special_tokens is not None
    if isinstance(name, str):
        recipe = registry.find(name)
        if recipe is not None:
            if told:
                raise ValueError(
                    f"`{name}` is bundled with its pattern and special tokens; they cannot be given"
                )
            return _from_recipe(recipe)
        if older := classic.find(name):
            if told:
                raise ValueError(f"`{name}` has neither a pattern nor special tokens to be given")
            return cast(Tokenizer, older)
        if not name:
            raise UnknownNameError(
                "the empty text names no tokenizer", hint="`bytepair list` shows all names"
            )
    path = Path(name)
    if "\0" in str(path):
        raise FormatError(f"`{str(path)!a}` holds a zero byte, which no path has")
    try:
        return _from_path(path, pattern, special_tokens)
    except FileNotFoundError:
        if isinstance(name, str) and not _looks_like_path(name):
            raise UnknownNameError(
                f"unknown tokenizer `{name}`", hint=registry.advice(name)
            ) from None
        raise FormatError(f"`{path}`: there is no such file or folder") from None
    except OSError as error:
        raise FormatError(f"`{path}` cannot be read: {error.strerror}") from None


def _looks_like_path(name: str) -> bool:
    if Path(name).suffix in {*_SUFFIXES, ".model", ".txt", ".gguf"} or name.startswith(
        (".", "~", os.sep)
    ):
        return True
    # A Hub repository is OWNER/NAME; what has more or other separators is meant as a path.
    return re.fullmatch(r"[\w.\-]+(/[\w.\-]+)?", name) is None


def _from_recipe(recipe: registry.Recipe) -> Tokenizer:
    model = _core.Model.from_compact(registry.read(recipe))
    return Tokenizer._assemble(
        model,
        recipe.pattern,
        registry.special_tokens(recipe),
        recipe.normalization,
        name=recipe.name,
        recipe=recipe.name,
    )


def _from_path(
    path: Path,
    pattern: Pattern | _Unset,
    special_tokens: Mapping[str, int] | Iterable[str] | None,
) -> Tokenizer:
    if path.is_dir():
        path = _file_in(path)
    files = gpt2_files.pair(path)
    if files is not None and (path.name in {"vocab.json", "merges.txt"} or _all_exist(files)):
        return _from_gpt2(files, pattern, special_tokens)
    data = path.read_bytes()
    kind = _SUFFIXES.get(path.suffix) or _detect(path, data)
    name = path.parent.name if path.stem == "tokenizer" and path.parent.name else path.stem
    try:
        if kind == "tiktoken":
            return _from_tiktoken(path, data, name, pattern, special_tokens)
        if not isinstance(pattern, _Unset) or special_tokens is not None:
            raise ValueError(
                "a tokenizer.json has its pattern and special tokens; they cannot be given"
            )
        if re.match(rb'\s*\{\s*"bytepair"', data):
            return cast(Tokenizer, _from_classic(path, data))
        return Tokenizer._wrap(_core.Tokenizer.from_huggingface(data), name)
    except BytepairError as error:
        if str(path) in error.message:
            raise
        raise type(error)(f"`{path}`: {error.message}", hint=error.hint) from None


def _from_classic(path: Path, data: bytes) -> Classic:
    tokenizer = classic.from_content(classic.content_of(data, f"`{path}`"), f"`{path}`")
    tokenizer.name = path.stem
    return tokenizer


def _file_in(folder: Path) -> Path:
    file = folder / "tokenizer.json"
    if file.is_file():
        return file
    found = [*gpt2_files.pairs_in(folder), *sorted(folder.glob("*.tiktoken"))]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(f"`{file.name}`" for file in found)
        raise FormatError(f"`{folder}` holds several tokenizers", hint=f"name one of them: {names}")
    raise FormatError(
        f"`{folder}` holds neither a `tokenizer.json` nor a `.tiktoken` file, nor a `vocab.json` "
        "with its `merges.txt`",
        hint="those are the files that can be loaded",
    )


def _all_exist(files: tuple[Path, Path]) -> bool:
    return all(file.is_file() for file in files)


def _from_gpt2(
    files: tuple[Path, Path],
    pattern: Pattern | _Unset,
    special_tokens: Mapping[str, int] | Iterable[str] | None,
) -> Tokenizer:
    vocab = files[0]
    prefix = vocab.name.removesuffix("vocab.json").rstrip("._- ")
    name = prefix or vocab.resolve().parent.name or "vocab"
    if special_tokens is not None:
        told = "gpt2" if isinstance(pattern, _Unset) else pattern
        return gpt2_files.read_with(files, name, told, special_tokens)
    stages = None if isinstance(pattern, _Unset) else patterns.stages(pattern)
    return gpt2_files.read(files, name, stages)


def _detect(path: Path, data: bytes) -> str:
    """By content, for a file whose suffix says nothing."""
    if data.lstrip()[:1] == b"{":
        return "huggingface"
    if re.match(rb"[A-Za-z0-9+/]+={0,2} \d+\r?\n", data):
        return "tiktoken"
    raise FormatError(
        f"`{path}` is of no known format",
        hint="a tokenizer is loaded from a `tokenizer.json` or a `.tiktoken` file",
    )


def _from_tiktoken(
    path: Path,
    data: bytes,
    name: str,
    pattern: Pattern | _Unset,
    special_tokens: Mapping[str, int] | Iterable[str] | None,
) -> Tokenizer:
    model = _core.Model.from_tiktoken(data)
    beside = sidecar.path_beside(path)
    if beside.exists():
        return _with_sidecar(model, beside, name, pattern, special_tokens)
    if not isinstance(pattern, _Unset):
        return Tokenizer._assemble(model, pattern, special_tokens or (), None, name=name)
    recipe = registry.recipe_for_file(hashlib.sha256(data).hexdigest())
    if recipe is None:
        raise FormatError(
            "a .tiktoken file holds ranks alone, and no "
            f"`{beside.name}` with its pattern and special tokens stands beside it",
            hint='pass pattern=…, for example pattern="gpt2", and special_tokens={…}',
        )
    if special_tokens is None:
        special_tokens = registry.special_tokens(recipe)
    return Tokenizer._assemble(
        model, recipe.pattern, special_tokens, recipe.normalization, name=name
    )


def _with_sidecar(
    model: _core.Model,
    beside: Path,
    name: str,
    pattern: Pattern | _Unset,
    special_tokens: Mapping[str, int] | Iterable[str] | None,
) -> Tokenizer:
    """Special tokens may be told anew. The pattern may not: ids that another one gives are not
    those that the ranks were learned for, and nothing would show it."""
    found = sidecar.read(beside)
    stages = patterns.stages(found.pattern)
    if not isinstance(pattern, _Unset) and patterns.stages(pattern) != stages:
        raise FormatError(
            f"`{beside}` says that the pattern is `{found.pattern}`, not `{pattern}`",
            hint="leave out pattern=…, or take that file away if it is wrong",
        )
    if special_tokens is None:
        core = _core.Tokenizer(model, stages, found.normalization, found.added)
        return Tokenizer._wrap(core, name)
    return Tokenizer._assemble(model, found.pattern, special_tokens, found.normalization, name=name)
