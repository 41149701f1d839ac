"""Texts that mix characters of every class, with special tokens whole, cut and nested in them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from effort import effort
from hard_alphabets import soups
from hypothesis import given, settings
from outside_judges import HUGGINGFACE, OPENAI, bundled, huggingface_judge, tiktoken_judge
from tally import judging

from .conftest import compare, huggingface_ids, with_nfc_of_unicode_16

ON = "soups of every class"
EXAMPLES = settings(max_examples=effort(30, most=2_500))


def telling(special_tokens: Iterable[str]) -> tuple[str, ...]:
    """At most 40, those that only hold a place last."""
    return tuple(sorted(special_tokens, key=lambda text: (bool(re.search(r"\d", text)), text))[:40])


@pytest.mark.parametrize("name", OPENAI)
def test_as_in_tiktoken(name, files):
    tok, judge = bundled(name), tiktoken_judge(name, files)
    # Of two tokens with one id the bundled recipe has one (docs/reference/judges.md).
    special_tokens = telling(set(tok.special_tokens) & judge.special_tokens_set)

    @EXAMPLES
    @given(soups(special_tokens))
    def check(texts: list[str]) -> None:
        ordinary = [judge.encode_ordinary(text) for text in texts]
        compare(texts, tok.encode_batch_to_numpy(texts), ordinary, tally)
        ours = tok.encode_batch_to_numpy(texts, allowed_special="all")
        allowed = [judge.encode(text, allowed_special=set(special_tokens)) for text in texts]
        compare(texts, ours, allowed, tally)
        assert [tok.decode(ids) for ids in tok.encode_batch(texts)] == texts

    with judging(name, "tiktoken", ON) as tally:
        check()


@pytest.mark.parametrize("name", HUGGINGFACE)
def test_as_in_tokenizers(name, files):
    tok, judge = huggingface_judge(name, files)
    special_tokens = telling([*tok.special_tokens, *(token.text for token in tok.added_tokens)])

    @EXAMPLES
    @given(soups(special_tokens))
    def check(texts: list[str]) -> None:
        ours = tok.encode_batch_to_numpy(texts, allowed_special="all")
        theirs = huggingface_ids(judge, texts)
        compare(texts, ours, theirs, tally, again=with_nfc_of_unicode_16(judge))

    with judging(name, "tokenizers", ON) as tally:
        check()
