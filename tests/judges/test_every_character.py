"""Every character alone, doubled, and between letters, digits, blanks and line ends.

The default run takes the characters at every border of every class, where a wrong table must
show, and a sample of the others; the exhaustive run takes all 1,112,064.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from effort import EXHAUSTIVE
from hard_alphabets import EVERY, borders, forms
from outside_judges import HUGGINGFACE, OPENAI, bundled, huggingface_judge, tiktoken_judge
from tally import judging

from .conftest import compare, huggingface_ids, with_nfc_of_unicode_16

BATCH = 20_000  # characters
SAMPLE = 1_000
ON = "every character" if EXHAUSTIVE else "characters at borders"


def batches() -> Iterator[list[str]]:
    characters = EVERY if EXHAUSTIVE else [*borders(), *random.Random(16).sample(EVERY, SAMPLE)]
    for start in range(0, len(characters), BATCH):
        yield [form for c in characters[start : start + BATCH] for form in forms(c)]


@pytest.mark.parametrize("name", OPENAI)
def test_as_in_tiktoken(name, files):
    tok, judge = bundled(name), tiktoken_judge(name, files)
    with judging(name, "tiktoken", ON) as tally:
        for texts in batches():
            theirs = [judge.encode_ordinary(text) for text in texts]
            compare(texts, tok.encode_batch_to_numpy(texts), theirs, tally)


@pytest.mark.parametrize("name", HUGGINGFACE)
def test_as_in_tokenizers(name, files):
    tok, judge = huggingface_judge(name, files)
    with judging(name, "tokenizers", ON) as tally:
        for texts in batches():
            ours = tok.encode_batch_to_numpy(texts, allowed_special="all")
            theirs = huggingface_ids(judge, texts)
            compare(texts, ours, theirs, tally, again=with_nfc_of_unicode_16(judge))
