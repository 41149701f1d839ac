"""Added tokens of a `tokenizer.json` with every mix of flags are found where the library finds
them.

Not asked: a token that takes the blanks after it, where those are a token too. The library gives
that one as well, or fails."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
import tokenizers
from hard_texts import TEXTS, trained
from hypothesis import given, settings
from hypothesis import strategies as st

from bytepair import FormatError, Tokenizer, _core

FLAGS = ("lstrip", "rstrip", "single_word", "normalized", "special")
MIXES = [dict(zip(FLAGS, mix, strict=True)) for mix in product([False, True], repeat=len(FLAGS))]

# Overlapping, one inside another, of word characters and of others, blanks, and not in NFC.
NOT_NFC = "e\u0301x"
WORDS = ["<a>", "<a><b>", "b>c", "no", "now", "éé", NOT_NFC, "中文"]
CONTENTS = [*WORDS, "  ", "\n\n"]
BESIDE = [
    "a",
    "b",
    "n",
    "o",
    "w",
    "_",
    "1",
    "²",
    "é",
    "e",
    "́",
    "x",
    "中",
    "'",
    "<",
    ">",
    ".",
    "\u200d",
    "̀",
    "ａ",
    "Ⅷ",
    "٣",
    "ा",
    "𝟏",
]
BLANKS = [
    " ",
    "  ",
    "\n",
    "\t",
    "\r\n",
    "\x85",
    "\xa0",
    "\u2003",
    "\u2028",
    "\u3000",
    "\u200b",
    "\x1c",
]
NEAR_TOKENS = st.lists(st.sampled_from([*CONTENTS, *BESIDE, *BLANKS]), max_size=10).map("".join)


def file(contents: list[str], mixes: list[dict[str, bool]], *, composes: bool) -> str:
    tok = trained("gpt2")
    core = Tokenizer.from_merges(tok.merges, pattern="gpt2")._inner
    content = json.loads(core.to_huggingface())
    first = len(content["model"]["vocab"])
    content["added_tokens"] = [
        {"id": first + n, "content": text} | mix
        for n, (text, mix) in enumerate(zip(contents, mixes, strict=True))
    ]
    content["normalizer"] = {"type": "NFC"} if composes else None
    return json.dumps(content)


def agree(content: str, texts: list[str]) -> None:
    theirs = tokenizers.Tokenizer.from_str(content)
    ours = Tokenizer._wrap(_core.Tokenizer.from_huggingface(content.encode()))
    for text in texts:
        ids = theirs.encode(text, add_special_tokens=False).ids
        assert ours.encode(text, allowed_special="all") == ids, (text, content[-900:])


@pytest.mark.parametrize("composes", [False, True])
@settings(max_examples=250)
@given(data=st.data())
def test_every_mix_of_flags(composes: bool, data: Any) -> None:
    contents = data.draw(st.lists(st.sampled_from(CONTENTS), min_size=1, max_size=4, unique=True))
    blanks = any(text not in WORDS for text in contents)
    mixes = [
        data.draw(st.sampled_from([mix for mix in MIXES if not (blanks and mix["rstrip"])]))
        | ({"normalized": False} if text == NOT_NFC else {})
        for text in contents
    ]
    texts = data.draw(st.lists(NEAR_TOKENS | TEXTS, min_size=1, max_size=6))
    agree(file(contents, mixes, composes=composes), texts)


def test_a_token_whose_normal_form_is_sought_is_refused() -> None:
    mix = dict.fromkeys(FLAGS, False) | {"normalized": True}
    loaded = _core.Tokenizer.from_huggingface(file([NOT_NFC], [mix], composes=False).encode())
    assert len(loaded) > 256
    with pytest.raises(FormatError, match="is `normalized`, and its text is not in NFC"):
        _core.Tokenizer.from_huggingface(file([NOT_NFC], [mix], composes=True).encode())


def test_an_id_that_the_vocabulary_contradicts_is_refused() -> None:
    for special, kind in ((False, "added"), (True, "special")):
        mix = dict.fromkeys(FLAGS, False) | {"special": special}
        with pytest.raises(FormatError, match=f"the {kind} token `é` has the id .* but 233 in the"):
            _core.Tokenizer.from_huggingface(file(["é"], [mix], composes=False).encode())
