"""Names: bundled ones, aliases, models, and what is said of the others."""

from __future__ import annotations

import pytest
import tiktoken.model

import bytepair
from bytepair import registry
from bytepair.vocabs.recipes import RECIPES

NAMES = [
    *["cl100k_base", "deepseek_v3", "glm4", "gpt2", "kimi_k2", "o200k_base", "o200k_harmony"],
    *["p50k_base", "p50k_edit", "qwen2.5", "qwen3", "r50k_base"],
]


def test_names():
    assert bytepair.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_name_is_its_own_recipe(name):
    recipe = bytepair.info(name)
    assert recipe.name == name
    assert bytepair.info(name.upper()) == recipe
    assert bytepair.load(name).name == name
    assert recipe.licence
    assert recipe.origin
    assert recipe.models


def test_every_name_means_one_recipe():
    said = [name.casefold() for r in RECIPES for name in (r.name, *r.aliases, *r.models)]
    assert sorted(said) == sorted(set(said))


@pytest.mark.parametrize(("model", "name"), tiktoken.model.MODEL_TO_ENCODING.items())
def test_models_as_in_tiktoken(model, name):
    assert bytepair.info(model).name == name


@pytest.mark.parametrize(("prefix", "name"), tiktoken.model.MODEL_PREFIX_TO_ENCODING.items())
def test_prefixes_of_models_as_in_tiktoken(prefix, name):
    for rest in ("2024-05-13", "mini:my-org::id", ""):
        assert bytepair.info(prefix + rest).name == name


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4o-mini", "o200k_base"),
        ("GPT-4o", "o200k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("openai/gpt-oss-20b", "o200k_harmony"),
        ("openai-community/gpt2-xl", "gpt2"),
        ("Qwen/Qwen2.5-7B", "qwen2.5"),
        ("Qwen/Qwen2.5-0.5B-Instruct", "qwen2.5"),
        ("qwen/qwen2.5-coder-32b-instruct", "qwen2.5"),
        ("Qwen/Qwen2.5-Math-72B-Instruct", "qwen2.5"),
        ("Qwen/Qwen2.5-72B-Instruct-AWQ", "qwen2.5"),
        ("Qwen/Qwen3-8B", "qwen3"),
        ("Qwen/Qwen3-0.6B-Base", "qwen3"),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507", "qwen3"),
        ("Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3"),
        ("deepseek-ai/DeepSeek-V3", "deepseek_v3"),
        ("deepseek-v3", "deepseek_v3"),
        ("zai-org/GLM-4.5-Air", "glm4"),
        ("zai-org/GLM-4-9B-0414", "glm4"),
        ("moonshotai/Kimi-K2-Instruct", "kimi_k2"),
    ],
)
def test_models(model, name):
    assert bytepair.info(model).name == name


@pytest.mark.parametrize(
    "name",
    [
        "Qwen/Qwen2.5-Omni-7B",  # more special tokens
        "Qwen/Qwen2.5-Math-PRM-7B",
        "Qwen/Qwen2-7B",
        "deepseek-ai/DeepSeek-R1",
        "moonshotai/Kimi-K2.5",
        "gpt-4-mine.json",  # files
        "gpt-4-mine/tokenizer.json",
        "gpt-4-mine/tokenizer",
        "gpt-5.tiktoken",
        "./gpt2",
        "gpt2 ",
        "",
        "*",
        "qwen/qwen3-#b",
        "gpt-4-\n",
    ],
)
def test_what_is_no_name(name):
    assert registry.find(name) is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("cl200k", "did you mean `cl100k_base`? `bytepair list` shows all names"),
        ("o200k", "did you mean `o200k_base`? `bytepair list` shows all names"),
        ("gpt4o", "did you mean `gpt-4o`? `bytepair list` shows all names"),
        ("deepseek", "did you mean `deepseek_v3`? `bytepair list` shows all names"),
        ("xyzzy", "`bytepair list` shows all names; a file is loaded by its path"),
    ],
)
def test_unknown_names(typed, said):
    with pytest.raises(bytepair.UnknownNameError) as caught:
        bytepair.load(typed)
    assert caught.value.message == f"unknown tokenizer `{typed}`"
    assert caught.value.hint == said
    with pytest.raises(bytepair.UnknownNameError) as caught:
        bytepair.info(typed)
    assert caught.value.hint == said


def test_a_long_unknown_name_takes_no_time():
    assert registry.advice("gpt-4o" * 100_000).startswith("`bytepair list`")


@pytest.mark.parametrize(
    ("typed", "where"),
    [
        ("llama3", "`meta-llama/Meta-Llama-3-8B`"),
        ("meta-llama/Meta-Llama-3-8B", "`meta-llama/Meta-Llama-3-8B`"),
        ("meta-llama/Llama-3.1-70B-Instruct", "`meta-llama/Llama-3.1-8B`"),
        ("Llama-3.2-1B", "`meta-llama/Llama-3.2-1B`"),
        ("meta-llama/Llama-3.3-70B-Instruct", "`meta-llama/Llama-3.3-70B-Instruct`"),
        ("llama-2-7b", "`meta-llama/Llama-2-7b-hf`"),
        ("llama4", "`meta-llama/Llama-4-Scout-17B-16E`"),
        ("gemma", "`google/gemma-7b`"),
        ("gemma-2b", "`google/gemma-7b`"),
        ("gemma-2-9b", "`google/gemma-2-9b`"),
        ("google/gemma-3-27b-it", "`google/gemma-3-4b-pt`"),
        ("mistralai/Mixtral-8x7B-v0.1", "`mistralai/Mistral-Nemo-Base-2407`"),
        ("claude-3-5-sonnet", "Anthropic"),
        ("anthropic/claude-opus-4", "Anthropic"),
        ("gemini-1.5-pro", "Google"),
        ("deepseek-ai/DeepSeek-R1", "`deepseek_v3`"),
        ("Qwen/Qwen2-7B-Instruct", "`qwen2.5`"),
        ("moonshotai/Kimi-K2-Thinking", "`kimi_k2`"),
    ],
)
def test_well_known_models_that_are_not_bundled(typed, where):
    assert where in registry.hint(typed)
    with pytest.raises(bytepair.UnknownNameError) as caught:
        bytepair.load(typed)
    assert caught.value.hint == registry.hint(typed)


@pytest.mark.parametrize("typed", ["gpt2", "xyzzy", "", "my/llamas", "deepseek-v3"])
def test_no_hint_where_there_is_nothing_to_say(typed):
    assert registry.hint(typed) is None


def test_recipes_share_vocabularies():
    shared = [("gpt2", "r50k_base"), ("p50k_base", "p50k_edit"), ("o200k_base", "o200k_harmony")]
    for one, other in [*shared, ("qwen2.5", "qwen3")]:
        first, second = bytepair.load(one), bytepair.load(other)
        assert first.vocab == second.vocab
        assert first.merges == second.merges


def test_files_that_are_known_by_their_contents():
    for digest, name in registry.KNOWN_FILES.items():
        recipe = registry.recipe_for_file(digest)
        assert recipe is not None
        assert recipe.name == name
    assert registry.recipe_for_file("0" * 64) is None
