"""The recipes of the bundled tokenizers: the place to add one, or the name of a model."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["KNOWN_FILES", "RECIPES", "Recipe"]


@dataclass(frozen=True)
class Recipe:
    """A bundled tokenizer: everything but the bytes of its vocabulary.

    ``vocab`` is the stem of the file in ``vocabs/``; recipes with the same tokens share one.
    ``pattern`` is the name of a named pattern. In ``models`` a ``*`` stands for any text without
    slashes and blanks, and ``#`` for a number such as ``7`` or ``0.5``.

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


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


RECIPES = (
    Recipe(
        name="gpt2",
        vocab="gpt2",
        pattern="gpt2",
        tokens=50257,
        vocab_size=50257,
        published_vocab_size=50257,
        licence="MIT",
        origin="OpenAI, GPT-2",
        models=_words(
            "gpt-2 gpt2-medium gpt2-large gpt2-xl openai-community/gpt2 "
            "openai-community/gpt2-medium openai-community/gpt2-large openai-community/gpt2-xl"
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
        models=_words(
            "davinci curie babbage ada text-davinci-001 text-curie-001 text-babbage-001 "
            "text-ada-001 text-similarity-davinci-001 text-similarity-curie-001 "
            "text-similarity-babbage-001 text-similarity-ada-001 text-search-davinci-doc-001 "
            "text-search-curie-doc-001 text-search-babbage-doc-001 text-search-ada-doc-001 "
            "code-search-babbage-code-001 code-search-ada-code-001"
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
        models=_words(
            "text-davinci-003 text-davinci-002 code-davinci-002 code-davinci-001 code-cushman-002 "
            "code-cushman-001 davinci-codex cushman-codex"
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
        models=_words("text-davinci-edit-001 code-davinci-edit-001"),
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
        models=_words(
            "gpt-4 gpt-4-* gpt-3.5-turbo gpt-3.5-turbo-* gpt-3.5 gpt-35-turbo gpt-35-turbo-* "
            "davinci-002 babbage-002 text-embedding-ada-002 text-embedding-3-small "
            "text-embedding-3-large ft:gpt-4* ft:gpt-3.5-turbo* ft:davinci-002* ft:babbage-002*"
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
        models=_words(
            "gpt-4o gpt-4o-* chatgpt-4o-* gpt-4.1 gpt-4.1-* gpt-4.5-* gpt-5 gpt-5* o1 o1-* o3 "
            "o3-* o4-mini o4-mini-* ft:gpt-4o*"
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
        models=_words("gpt-oss-* openai/gpt-oss-20b openai/gpt-oss-120b"),
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
        models=_words(
            "Qwen/Qwen2.5-#B Qwen/Qwen2.5-#B-Instruct Qwen/Qwen2.5-#B-Instruct-* "
            "Qwen/Qwen2.5-Coder-#B Qwen/Qwen2.5-Coder-#B-Instruct "
            "Qwen/Qwen2.5-Coder-#B-Instruct-* Qwen/Qwen2.5-Math-#B Qwen/Qwen2.5-Math-#B-Instruct"
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
        models=_words("Qwen/Qwen3-#B Qwen/Qwen3-#B-* Qwen/Qwen3-Coder-#B-*"),
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
        models=_words("deepseek-ai/DeepSeek-V3 deepseek-ai/DeepSeek-V3-Base"),
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
        models=_words(
            "zai-org/GLM-4-9B-0414 THUDM/GLM-4-9B-0414 zai-org/GLM-4.5 zai-org/GLM-4.5-Base "
            "zai-org/GLM-4.5-FP8 zai-org/GLM-4.5-Air zai-org/GLM-4.5-Air-Base "
            "zai-org/GLM-4.5-Air-FP8"
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
        models=_words(
            "moonshotai/Kimi-K2-Base moonshotai/Kimi-K2-Instruct moonshotai/Kimi-K2-Instruct-0905"
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
