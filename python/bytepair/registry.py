"""Names → recipes: what a bundled tokenizer is made of, and which models use it.

A recipe names a vocabulary file in ``vocabs/`` and says how text is cut and normalized before it.
``find`` answers for bundled names, their aliases and the names of models; ``advice`` helps with the
names that it does not know. The data is written by ``scripts/build_vocabs.py``.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bytepair.errors import FormatError, UnknownNameError

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


@dataclass(frozen=True)
class Recipe:
    """A bundled tokenizer: everything but the bytes of its vocabulary.

    ``vocab`` is the stem of the file in ``vocabs/``; recipes with the same tokens share one.
    ``pattern`` is the name of a named pattern. In ``models`` a ``*`` stands for any text without a
    slash, and ``#`` for a number such as ``7`` or ``0.5``.

    Three sizes: ``tokens`` counts the tokens, special ones included; ``vocab_size`` is the highest
    id + 1; ``published_vocab_size`` is what the model's makers state, with the rows that pad its
    embedding (the largest of several, where a family's members differ; ``notes`` says so).
    """

    name: str
    vocab: str
    pattern: str
    tokens: int
    vocab_size: int
    published_vocab_size: int
    licence: str
    origin: str
    models: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    normalization: str | None = None
    notes: str = ""


_RECIPES = (
    Recipe(
        name="gpt2",
        vocab="gpt2",
        pattern="gpt2",
        tokens=50257,
        vocab_size=50257,
        published_vocab_size=50257,
        licence="MIT",
        origin="OpenAI, GPT-2",
        models=(
            *"gpt-2 gpt2-medium gpt2-large gpt2-xl".split(),
            *"openai-community/gpt2 openai-community/gpt2-medium".split(),
            *"openai-community/gpt2-large openai-community/gpt2-xl".split(),
        ),
    ),
    Recipe(
        name="r50k_base",
        vocab="gpt2",
        pattern="gpt2",
        tokens=50257,
        vocab_size=50257,
        published_vocab_size=50257,
        licence="MIT",
        origin="OpenAI, GPT-3",
        models=(
            *"davinci curie babbage ada".split(),
            *"text-davinci-001 text-curie-001 text-babbage-001 text-ada-001".split(),
            *"text-similarity-davinci-001 text-similarity-curie-001".split(),
            *"text-similarity-babbage-001 text-similarity-ada-001".split(),
            *"text-search-davinci-doc-001 text-search-curie-doc-001".split(),
            *"text-search-babbage-doc-001 text-search-ada-doc-001".split(),
            *"code-search-babbage-code-001 code-search-ada-code-001".split(),
        ),
        notes="the same tokens and ids as gpt2",
    ),
    Recipe(
        name="p50k_base",
        vocab="p50k_base",
        pattern="gpt2",
        tokens=50281,
        vocab_size=50281,
        published_vocab_size=50281,
        licence="MIT",
        origin="OpenAI, Codex",
        models=(
            *"text-davinci-003 text-davinci-002 code-davinci-002 code-davinci-001".split(),
            *"code-cushman-002 code-cushman-001 davinci-codex cushman-codex".split(),
        ),
        notes="gpt2 with 24 tokens more, for runs of blanks",
    ),
    Recipe(
        name="p50k_edit",
        vocab="p50k_base",
        pattern="gpt2",
        tokens=50284,
        vocab_size=50284,
        published_vocab_size=50284,
        licence="MIT",
        origin="OpenAI, Codex",
        models=("text-davinci-edit-001", "code-davinci-edit-001"),
        notes="p50k_base with three special tokens more",
    ),
    Recipe(
        name="cl100k_base",
        vocab="cl100k_base",
        pattern="cl100k",
        tokens=100261,
        vocab_size=100277,
        published_vocab_size=100277,
        licence="MIT",
        origin="OpenAI, GPT-4",
        models=(
            *"gpt-4 gpt-4-* gpt-3.5-turbo gpt-3.5-turbo-* gpt-3.5".split(),
            *"gpt-35-turbo gpt-35-turbo-* davinci-002 babbage-002".split(),
            *"text-embedding-ada-002 text-embedding-3-small text-embedding-3-large".split(),
            *"ft:gpt-4* ft:gpt-3.5-turbo* ft:davinci-002* ft:babbage-002*".split(),
        ),
    ),
    Recipe(
        name="o200k_base",
        vocab="o200k_base",
        pattern="o200k",
        tokens=200000,
        vocab_size=200019,
        published_vocab_size=200019,
        licence="MIT",
        origin="OpenAI, GPT-4o",
        models=(
            *"gpt-4o gpt-4o-* chatgpt-4o-* gpt-4.1 gpt-4.1-* gpt-4.5-* gpt-5 gpt-5*".split(),
            *"o1 o1-* o3 o3-* o4-mini o4-mini-* ft:gpt-4o*".split(),
        ),
    ),
    Recipe(
        name="o200k_harmony",
        vocab="o200k_base",
        pattern="o200k",
        tokens=201088,
        vocab_size=201088,
        published_vocab_size=201088,
        licence="MIT",
        origin="OpenAI, gpt-oss",
        models=("gpt-oss-*", "openai/gpt-oss-20b", "openai/gpt-oss-120b"),
        notes=(
            "tiktoken gives id 200018 to `<|reserved_200018|>` as well; here it is "
            "`<|endofprompt|>` alone"
        ),
    ),
    Recipe(
        name="qwen2.5",
        vocab="qwen2",
        pattern="qwen2",
        normalization="nfc",
        tokens=151665,
        vocab_size=151665,
        published_vocab_size=152064,
        licence="Apache-2.0",
        origin="Alibaba Cloud, Qwen2.5",
        models=(
            *"Qwen/Qwen2.5-#B Qwen/Qwen2.5-#B-Instruct Qwen/Qwen2.5-#B-Instruct-*".split(),
            *"Qwen/Qwen2.5-Coder-#B Qwen/Qwen2.5-Coder-#B-Instruct".split(),
            *"Qwen/Qwen2.5-Coder-#B-Instruct-*".split(),
            *"Qwen/Qwen2.5-Math-#B Qwen/Qwen2.5-Math-#B-Instruct".split(),
        ),
        notes="models of up to 3B publish 151936",
    ),
    Recipe(
        name="qwen3",
        vocab="qwen2",
        pattern="qwen2",
        normalization="nfc",
        tokens=151669,
        vocab_size=151669,
        published_vocab_size=151936,
        licence="Apache-2.0",
        origin="Alibaba Cloud, Qwen3",
        models=(
            *"Qwen/Qwen3-#B Qwen/Qwen3-#B-*".split(),
            *"Qwen/Qwen3-Coder-#B-*".split(),
        ),
    ),
    Recipe(
        name="deepseek_v3",
        vocab="deepseek_v3",
        pattern="deepseek_v3",
        tokens=128815,
        vocab_size=128815,
        published_vocab_size=129280,
        licence="MIT",
        origin="DeepSeek, DeepSeek-V3",
        models=("deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-V3-Base"),
        aliases=("deepseek-v3",),
    ),
    Recipe(
        name="glm4",
        vocab="glm4",
        pattern="llama3",
        tokens=151365,
        vocab_size=151365,
        published_vocab_size=151552,
        licence="MIT",
        origin="Z.ai (Zhipu AI), GLM-4-9B-0414 and GLM-4.5",
        models=(
            *"zai-org/GLM-4-9B-0414 THUDM/GLM-4-9B-0414".split(),
            *"zai-org/GLM-4.5 zai-org/GLM-4.5-Base zai-org/GLM-4.5-FP8".split(),
            *"zai-org/GLM-4.5-Air zai-org/GLM-4.5-Air-Base zai-org/GLM-4.5-Air-FP8".split(),
        ),
        aliases=("glm-4", "glm-4.5"),
        notes="the special tokens are GLM-4.5's: GLM-4-9B-0414 was made for fewer of them",
    ),
    Recipe(
        name="kimi_k2",
        vocab="kimi_k2",
        pattern="kimi_k2",
        tokens=163840,
        vocab_size=163840,
        published_vocab_size=163840,
        licence="MIT, modified",
        origin="Moonshot AI, Kimi-K2",
        models=(
            *"moonshotai/Kimi-K2-Base moonshotai/Kimi-K2-Instruct".split(),
            "moonshotai/Kimi-K2-Instruct-0905",
        ),
        aliases=("kimi-k2",),
    ),
)

#: sha256 of a published ``.tiktoken`` file → the plainest recipe that has its ranks.
KNOWN_FILES = {
    "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930": "r50k_base",
    "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069": "p50k_base",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7": "cl100k_base",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d": "o200k_base",
    "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186": "qwen2.5",
    "5a493598071550244b2ee7f26118f3edec2150b9dfa967929a99052ac83fe716": "glm4",
    "b6c497a7469b33ced9c38afb1ad6e47f03f5e5dc05f15930799210ec050c5103": "kimi_k2",
}

_ON_THE_HUB = (
    "its licence keeps it out of this package. Accept it at `{where}` on the Hugging Face Hub, "
    "download the `tokenizer.json` there, and give its path"
)
_ITS_OWN = (
    "it has the vocabulary of `{like}` and other special tokens. Give the path of its own "
    "`tokenizer.json`; or take `{like}`, whose ids for ordinary text are the same"
)

_LLAMA, _GEMMA = r"(.*/)?(meta-)?llama-?", r"(.*/)?gemma-?"

#: What people type → what to do instead. The first that matches counts.
_HINTS = (
    (r"(.*/)?(code)?llama-?2", _ON_THE_HUB.format(where="meta-llama/Llama-2-7b-hf")),
    (_LLAMA + r"3\.1", _ON_THE_HUB.format(where="meta-llama/Llama-3.1-8B")),
    (_LLAMA + r"3\.2", _ON_THE_HUB.format(where="meta-llama/Llama-3.2-1B")),
    (_LLAMA + r"3\.3", _ON_THE_HUB.format(where="meta-llama/Llama-3.3-70B-Instruct")),
    (_LLAMA + r"4", _ON_THE_HUB.format(where="meta-llama/Llama-4-Scout-17B-16E")),
    (_LLAMA + r"(3|$)", _ON_THE_HUB.format(where="meta-llama/Meta-Llama-3-8B")),
    (_GEMMA + r"3", _ON_THE_HUB.format(where="google/gemma-3-4b-pt")),
    (_GEMMA + r"2-", _ON_THE_HUB.format(where="google/gemma-2-9b")),
    (_GEMMA, _ON_THE_HUB.format(where="google/gemma-7b")),
    (
        r"(.*/)?(mistral|mixtral|ministral|codestral|pixtral|devstral|magistral)",
        "it is not bundled. Download the `tokenizer.json` of the model, for example of "
        "`mistralai/Mistral-7B-v0.1` on the Hugging Face Hub, and give its path",
    ),
    (
        r"(.*/)?claude",
        "Anthropic has published no tokenizer for Claude 3 and later: only its API counts their "
        "tokens",
    ),
    (
        r"(.*/)?gemini",
        "Google has published no tokenizer file for Gemini: only its API counts its tokens",
    ),
    (r"(.*/)?deepseek-(v3-0324|v3\.[12]|r1)", _ITS_OWN.format(like="deepseek_v3")),
    (r"(.*/)?qwen2-\d", _ITS_OWN.format(like="qwen2.5")),
    (r"(.*/)?kimi-k2(-thinking|\.5)", _ITS_OWN.format(like="kimi_k2")),
)

_FILE_SUFFIXES = (".json", ".tiktoken", ".model", ".txt", ".gguf")


def names() -> list[str]:
    """The names of the bundled tokenizers, sorted.

    >>> names()[:3]
    ['cl100k_base', 'deepseek_v3', 'glm4']
    """
    return sorted(recipe.name for recipe in _RECIPES)


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
    for recipe in _RECIPES:
        for name in (recipe.name, *recipe.aliases, *recipe.models):
            if "*" in name or "#" in name:
                patterns.append((name.casefold(), recipe))
            else:
                exact[name.casefold()] = recipe
    patterns.sort(key=lambda pair: -len(pair[0]))
    return exact, [(re.compile(_expression(name)), recipe) for name, recipe in patterns]


def _expression(pattern: str) -> str:
    wild = {"*": r"[^/\\]*", "#": r"\d+(?:\.\d+)?"}
    return "".join(wild.get(character, re.escape(character)) for character in pattern)


def _spellings() -> Iterator[str]:
    for recipe in _RECIPES:
        yield from (recipe.name, *recipe.aliases)
        yield from (
            model.replace("*", "").rstrip("-") for model in recipe.models if "#" not in model
        )


def _nearest(name: str) -> list[str]:
    """Up to three known names that are written much like ``name``."""
    import difflib

    spelled = {each.casefold(): each for each in _spellings()}
    # A name of hundreds of characters is near to nothing, and costly to compare.
    near = difflib.get_close_matches(name.casefold()[:100], spelled, n=3, cutoff=0.6)
    bundled = [spelled[each] for each in near if spelled[each] in names()]
    return bundled or [spelled[each] for each in near]


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
