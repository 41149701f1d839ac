from __future__ import annotations

import pytest
from golden import FACTS


def test_the_ids_of_hello(study):
    row = study("case").table("ids of hello").row("gpt2")
    for form, ids in FACTS["tokenizers_samples"]["gpt2_ids"].items():
        assert row[form.replace(" ", "·")] == " ".join(map(str, ids))


@pytest.mark.parametrize(
    "word, counts",
    [
        (
            "hello",
            {
                "gpt2": [1, 1, 1, 1, 3, 2, 2, 2, 2],
                "cl100k_base": [1, 1, 1, 1, 2, 2, 2, 2, 2],
                "o200k_base": [1, 1, 1, 1, 2, 2, 2, 2, 2],
            },
        ),
        (
            "tokenization",
            {
                "gpt2": [2, 2, 2, 2, 4, 4, 3, 3, 3],
                "cl100k_base": [2, 2, 2, 2, 2, 2, 3, 3, 2],
            },
        ),
    ],
)
def test_nine_forms(study, word, counts):
    table = study("case").table(f"tokens of {word} in nine forms")
    for name, expected in counts.items():
        assert list(table.row(name).values())[1:] == expected
