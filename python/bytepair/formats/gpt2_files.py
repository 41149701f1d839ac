"""GPT-2's ``vocab.json`` and ``merges.txt``, and what may stand beside them.

The two hold tokens, ids and merges. Added tokens, their flags and whether a blank is put before
the text are in ``added_tokens.json``, ``special_tokens_map.json`` and ``tokenizer_config.json``,
where those exist. All names may have a prefix, the same for each: ``gpt2.vocab.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bytepair import _core
from bytepair import pattern as patterns
from bytepair.arguments import as_id, numbered
from bytepair.errors import BytepairError, FormatError
from bytepair.pattern import Pattern
from bytepair.tokenizer import AddedToken, SpecialTokens, Tokenizer

__all__ = ["pair", "pairs_in", "read", "read_with"]

_VOCAB, _MERGES = "vocab.json", "merges.txt"

# The classes in `tokenizer_config.json` that cut text as GPT-2 does.
_CUT_AS_GPT2 = "GPT2 Roberta Bart Longformer LED Blenderbot CodeGen Whisper Mvp Deberta GPTNeoX"
_FLAGS = ("special", "lstrip", "rstrip", "single_word", "normalized")
_NAMED = [f"{name}_token" for name in ("bos", "eos", "unk", "pad", "cls", "sep", "mask")]


def pair(path: Path) -> tuple[Path, Path] | None:
    """The two files, if ``path`` has the name of one of them."""
    for name in (_VOCAB, _MERGES):
        prefix = path.name.removesuffix(name)
        if prefix != path.name and not prefix[-1:].isalnum():
            return path.with_name(prefix + _VOCAB), path.with_name(prefix + _MERGES)
    return None


def pairs_in(folder: Path) -> list[Path]:
    """Each ``vocab.json`` of a folder that has its ``merges.txt``."""
    found = [pair(path) for path in sorted(folder.glob(f"*{_VOCAB}"))]
    return [vocab for vocab, merges in filter(None, found) if merges.is_file()]


def read(files: tuple[Path, Path], name: str, stages: list[str] | None) -> Tokenizer:
    """As the files say: what no merge makes is a special token, and so is what the files beside
    call one. Without ``stages`` the pattern is GPT-2's."""
    vocab = files[0]
    config = _content(vocab, "tokenizer_config.json")
    if stages is None:
        _check_class(vocab, config)
        stages = patterns.stages("gpt2")
    try:
        declared = _declared(vocab, config)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"`{vocab}`: the files beside it declare added tokens in a way that is not known: "
            f"{error!r}"
        ) from None
    model, others = _model(files, list(declared), unmade_apart=True)
    for text, entry in declared.items():
        id = entry.setdefault("id", others.get(text))
        if id is None or others.setdefault(text, id) != id:
            where = f"the id {others[text]}" if text in others else "no entry of its own"
            raise FormatError(
                f"`{vocab}`: the added token `{text}` has {where} there, and "
                f"{'no id' if id is None else f'the id {id}'} in the files beside it"
            )
    added = [AddedToken(text, **(declared.get(text, {}) | {"id": others[text]})) for text in others]
    normalization = "prefix_space" if config.get("add_prefix_space") else None
    core = _core.Tokenizer(model, stages, normalization, added)
    return Tokenizer._wrap(core, name)


def read_with(
    files: tuple[Path, Path], name: str, pattern: Pattern, special_tokens: SpecialTokens
) -> Tokenizer:
    """With the special tokens that are given and no others; those beside are not looked at."""
    model, others = _model(files, list(special_tokens), unmade_apart=False)
    if not isinstance(special_tokens, Mapping):
        first = max([model.bound, *(id + 1 for id in others.values())])
        new = numbered([text for text in special_tokens if text not in others], first)
        special_tokens = {text: others.get(text, new.get(text, 0)) for text in special_tokens}
    for text, id in others.items():
        if special_tokens[text] != id:
            given = special_tokens[text]
            raise FormatError(
                f"`{files[0]}`: the special token `{text}` has the id {id}, not {given}"
            )
    return Tokenizer._assemble(model, pattern, special_tokens, None, name=name)


def _model(
    files: tuple[Path, Path], apart: list[str], *, unmade_apart: bool
) -> tuple[_core.Model, dict[str, int]]:
    """The model, and the entries of the vocabulary that are no tokens of it."""
    vocab, merges = files
    for path, other in (files, files[::-1]):
        if other.is_file() and not path.is_file():
            raise FormatError(f"`{other}`: no `{path.name}` stands beside it, and both are needed")
    contents = vocab.read_bytes(), merges.read_bytes()
    try:
        model, others = _core.Model.from_gpt2(*contents, apart, unmade_apart)
    except BytepairError as error:
        path = merges if error.message.startswith(_MERGES) else vocab
        raise type(error)(f"`{path}`: {error.message}", hint=error.hint) from None
    return model, dict(others)


def _declared(vocab: Path, config: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What the files beside say of added tokens, by text: the fields of an ``AddedToken``."""
    declared: dict[str, dict[str, Any]] = {}
    for text, id in _content(vocab, "added_tokens.json").items():
        declared[text] = {"id": as_id(id), "special": False}
    for id, entry in config.get("added_tokens_decoder", {}).items():
        declared[entry["content"]] = {"id": int(id), "special": False} | _flags(entry)
    for entry in _named(_content(vocab, "special_tokens_map.json") | config):
        text = entry if isinstance(entry, str) else entry["content"]
        flags = {} if isinstance(entry, str) else _flags(entry)
        declared[text] = {**flags, **declared.get(text, {}), "special": True}
    return declared


def _named(content: dict[str, Any]) -> Iterator[Any]:
    yield from filter(None, map(content.get, _NAMED))
    yield from content.get("additional_special_tokens") or ()


def _flags(entry: dict[str, Any]) -> dict[str, bool]:
    return {name: bool(entry[name]) for name in _FLAGS if name in entry}


def _content(vocab: Path, name: str) -> dict[str, Any]:
    """A file that stands beside, empty where there is none."""
    path = vocab.with_name(vocab.name.removesuffix(_VOCAB) + name)
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise FormatError(f"`{path}` is not JSON: {error}") from None
    if not isinstance(content, dict):
        raise FormatError(f"`{path}` holds no object")
    return content


def _check_class(vocab: Path, config: dict[str, Any]) -> None:
    kind = str(config.get("tokenizer_class") or "GPT2Tokenizer")
    if kind.removesuffix("Fast").removesuffix("Tokenizer") not in _CUT_AS_GPT2.split():
        raise FormatError(
            f"`{vocab}`: `tokenizer_config.json` says that it is of the class `{kind}`, which may "
            "cut text in another way than GPT-2 does",
            hint='pass pattern=…, for example pattern="gpt2", or load the `tokenizer.json`',
        )
