"""Names → recipes: what a bundled tokenizer is made of, and which models use it.

The recipes themselves are in ``vocabs/recipes.py``. ``find`` answers for bundled names, their
aliases and the names of models; ``advice`` helps with the names that it does not know.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from bytepair.errors import FormatError, UnknownNameError
from bytepair.vocabs.recipes import KNOWN_FILES, RECIPES, Recipe

__all__ = [
    "KNOWN_FILES",
    "Recipe",
    "advice",
    "find",
    "hint",
    "info",
    "names",
    "read",
    "recipe_for_file",
    "special_tokens",
]

_VOCABS = Path(__file__).with_name("vocabs")

_ON_THE_HUB = (
    "its licence keeps it out of this package. Accept it at `{where}` on the Hugging Face Hub, "
    "download the `tokenizer.json` there, and give its path"
)
_SENTENCEPIECE = (
    "its licence keeps it out of this package. It is at `{where}` on the Hugging Face Hub, and "
    "made in SentencePiece's manner, which bytepair does not read"
)
_ITS_OWN = (
    "it has the vocabulary of `{like}` and other special tokens. Give the path of its own file; or "
    "take `{like}`, whose ids for ordinary text are the same"
)

_LLAMA, _GEMMA = r"(.*/)?(meta-)?llama-?", r"(.*/)?gemma-?"

#: What people type → what to do instead. The first that matches counts.
_HINTS = (
    (r"(.*/)?(code)?llama-?2", _SENTENCEPIECE.format(where="meta-llama/Llama-2-7b-hf")),
    (_LLAMA + r"3\.1", _ON_THE_HUB.format(where="meta-llama/Llama-3.1-8B")),
    (_LLAMA + r"3\.2", _ON_THE_HUB.format(where="meta-llama/Llama-3.2-1B")),
    (_LLAMA + r"3\.3", _ON_THE_HUB.format(where="meta-llama/Llama-3.3-70B-Instruct")),
    (_LLAMA + r"4", _ON_THE_HUB.format(where="meta-llama/Llama-4-Scout-17B-16E")),
    (_LLAMA + r"(3|$)", _ON_THE_HUB.format(where="meta-llama/Meta-Llama-3-8B")),
    (_GEMMA + r"3", _SENTENCEPIECE.format(where="google/gemma-3-4b-pt")),
    (_GEMMA + r"2(-|$)", _SENTENCEPIECE.format(where="google/gemma-2-9b")),
    (_GEMMA, _SENTENCEPIECE.format(where="google/gemma-7b")),
    (
        r"(.*/)?(mistral|mixtral|ministral|codestral|pixtral|devstral|magistral)",
        "it is not bundled. From `mistralai/Mistral-Nemo-Base-2407` on, download the model's "
        "`tokenizer.json` from the Hugging Face Hub, and give its path; the earlier models are "
        "made in SentencePiece's manner, which bytepair does not read",
    ),
    (
        r"(.*/)?claude",
        "Anthropic has published no tokenizer for Claude 3 and later: only its API counts their "
        "tokens",
    ),
    (r"(.*/)?gemini", "it is not bundled: Google's API counts its tokens"),
    (r"(.*/)?deepseek-(v3\.[12]|r1(-zero|-0528)?$)", _ITS_OWN.format(like="deepseek_v3")),
    (r"(.*/)?qwen2-\d", _ITS_OWN.format(like="qwen2.5")),
    (r"(.*/)?kimi-k2(-thinking|\.5)", _ITS_OWN.format(like="kimi_k2")),
)

_FILE_SUFFIXES = (".json", ".tiktoken", ".model", ".txt", ".gguf")


def names() -> list[str]:
    """The names of the bundled tokenizers, sorted.

    >>> names()[:3]
    ['cl100k_base', 'deepseek_v3', 'glm4']
    """
    return sorted(recipe.name for recipe in RECIPES)


def info(name: str) -> Recipe:
    """What is known of a bundled tokenizer: sizes, licence, origin, models that use it.

    ``name`` is what ``load`` takes, files excepted. Raises ``UnknownNameError``.

    >>> info("cl100k_base").published_vocab_size
    100277
    >>> info("gpt-4o").name
    'o200k_base'
    """
    recipe = find(name)
    if recipe is None:
        raise UnknownNameError(f"unknown tokenizer `{name}`", hint=advice(name))
    return recipe


def find(name: str) -> Recipe | None:
    """The recipe of a bundled name, of an alias or of a model; upper and lower case are alike.

    >>> recipe = find("Qwen/Qwen2.5-7B-Instruct")
    >>> recipe.name if recipe else None
    'qwen2.5'
    """
    folded = name.casefold()
    exact, patterns = _index()
    if folded in exact:
        return exact[folded]
    if folded.endswith(_FILE_SUFFIXES):
        # `gpt-4-mine.json` is somebody's file, though it looks like one of the GPT-4s.
        return None
    return next((recipe for pattern, recipe in patterns if pattern.fullmatch(folded)), None)


def hint(name: str) -> str | None:
    """Where to get a well-known tokenizer that is not bundled, by the names that people type."""
    return next((text for like, text in _HINTS if re.match(like, name, re.IGNORECASE)), None)


def advice(name: str) -> str:
    """What to tell somebody whose ``name`` was not found.

    >>> advice("cl200k")
    'did you mean `cl100k_base`? `bytepair list` shows all names'
    """
    if known := hint(name):
        return known
    near = _nearest(name)
    if not near:
        return "`bytepair list` shows all names; a file is loaded by its path"
    *first, last = [f"`{each}`" for each in near]
    listed = f"{', '.join(first)} or {last}" if first else last
    return f"did you mean {listed}? `bytepair list` shows all names"


def recipe_for_file(sha256: str) -> Recipe | None:
    """The recipe of a published ``.tiktoken`` file, by the sha256 of its contents."""
    name = KNOWN_FILES.get(sha256)
    return None if name is None else info(name)


def read(recipe: Recipe) -> bytes:
    """The vocabulary of a recipe in the core's compact form.

    Raises ``FormatError`` if the file is not the one that belongs to this version of the package.
    """
    return zlib.decompress(_checked(f"{recipe.vocab}.zlib"))


def special_tokens(recipe: Recipe) -> dict[str, int]:
    """The special tokens of a recipe: every control spelling, by id.

    >>> special_tokens(info("gpt2"))
    {'<|endoftext|>': 50256}
    """
    return dict(_all_special_tokens()[recipe.name])


# ------------------------------------------------------------------ names


@functools.cache
def _index() -> tuple[dict[str, Recipe], list[tuple[re.Pattern[str], Recipe]]]:
    """Exact names, and the patterns of models with the most telling first."""
    exact: dict[str, Recipe] = {}
    patterns: list[tuple[str, Recipe]] = []
    for recipe in RECIPES:
        for name in (recipe.name, *recipe.aliases, *recipe.models):
            if "*" in name or "#" in name:
                patterns.append((name.casefold(), recipe))
            else:
                exact[name.casefold()] = recipe
    patterns.sort(key=lambda pair: -len(pair[0]))
    return exact, [(re.compile(_expression(name)), recipe) for name, recipe in patterns]


def _expression(pattern: str) -> str:
    wild = {"*": r"[^/\\\s]*", "#": r"\d+(?:\.\d+)?"}
    return "".join(wild.get(character, re.escape(character)) for character in pattern)


def _spellings() -> Iterator[tuple[str, str]]:
    """What a name could be a misspelling of, and the name that is then meant."""
    for recipe in RECIPES:
        yield recipe.name.removesuffix("_base"), recipe.name
        yield from ((each, recipe.name) for each in (recipe.name, *recipe.aliases))
        plain = (model.replace("*", "").rstrip("-") for model in recipe.models if "#" not in model)
        yield from ((each, each) for each in plain)


def _nearest(name: str) -> list[str]:
    """Up to three known names that are written much like ``name``, and about equally so."""
    import difflib

    # A name of hundreds of characters is near to nothing, and costly to compare.
    compared = difflib.SequenceMatcher(b=name.casefold()[:100])
    ratios: dict[str, float] = {}
    for spelling, meant in _spellings():
        compared.set_seq1(spelling.casefold())
        ratios[meant] = max(ratios.get(meant, 0.0), compared.ratio())
    best = max(ratios.values())
    near = [each for each, ratio in ratios.items() if ratio >= max(0.6, best - 0.08)]
    return sorted(near, key=lambda each: (-ratios[each], each not in names()))[:3]


# ------------------------------------------------------------------ data


def _checked(name: str) -> bytes:
    """A file of ``vocabs/``, after a look at its checksum."""
    path = _VOCABS / name
    expected = _checksums().get(name, "none")
    data = _read(path)
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise FormatError(
            f"`{path}` is damaged: its sha256 is `{found}`, and `{expected}` was expected",
            hint="reinstall bytepair",
        )
    return data


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FormatError(
            f"`{path}`, which belongs to bytepair, cannot be read: {error.strerror}",
            hint="reinstall bytepair",
        ) from None


@functools.cache
def _checksums() -> dict[str, str]:
    lines = _read(_VOCABS / "SHA256SUMS").decode("ascii", "replace").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


@functools.cache
def _all_special_tokens() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads(_checked("special_tokens.json"))
    return found
