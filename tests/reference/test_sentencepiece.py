"""SentencePiece's encoding and decoding, judged by the library on real models and on small ones
made here with every option that matters."""

from __future__ import annotations

import io
import random
from functools import cache

import pytest
import sentencepiece
from effort import effort
from hypothesis import given, settings
from hypothesis import strategies as st
from outside_judges import shared_file
from tally import judging

from bytepair.reference.sentencepiece import SentencePieceTokenizer
from bytepair.reference.sentencepiece_file import read_model
from bytepair.texts import parallel, read

REAL = ["llama2", "mistral_v1", "mistral_v3", "nai-t5", "xlnet_base_cased"]
TYPES = {"unigram": 500, "bpe": 600, "char": 300, "word": 600}  # and the size of the vocabulary
OPTIONS = {
    "plain": {},
    "identity": {"normalization_rule_name": "identity"},
    "folded": {"normalization_rule_name": "nmt_nfkc_cf", "add_dummy_prefix": False},
    "blanks kept": {"remove_extra_whitespaces": False},
    "suffix": {"treat_whitespace_as_suffix": True},
    "suffix, blanks kept": {"treat_whitespace_as_suffix": True, "remove_extra_whitespaces": False},
    "symbols": {"user_defined_symbols": ["<sep>", "ab", "▁b", "a b", "世"]},
    "bytes": {"byte_fallback": True, "user_defined_symbols": ["ab"]},
    "across blanks": {"split_by_whitespace": False, "remove_extra_whitespaces": False},
}
ODD = [
    "",
    "   ",
    "  Hello   world  ",
    "Ｈｅｌｌｏ　ｗｏｒｌｄ",
    "①②③ ﬁ ㍿",
    "▁x a▁b ▁",
    "a\tb\nc\r\n",
    "\u200b x\ufeff",
    "🌍👨‍👩‍👧 é e\u0301 ｱｲｳﾞ",
    "\x00\x01",
    "<s> </s> <unk> <0xE6>",
    "a" * 300,
    "<sep>ab a b▁b世世",
]
LETTERS = "ab ▁\t\u3000\u0301é气🌍Ａｱﾞ<s>\u200b\u00a0ﬁ①\x00\n"


@cache
def trained(model_type: str, option: str) -> bytes:
    languages = ("Chinese, Mandarin (Simplified)", "Japanese", "German, Standard (1996)")
    lines = read("corpus.en").splitlines()[:400]
    lines += [line for language in languages for line in parallel()[language].splitlines()]
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=out,
        model_type=model_type,
        vocab_size=TYPES[model_type] + (256 if "byte_fallback" in OPTIONS[option] else 0),
        hard_vocab_limit=False,
        character_coverage=0.98,
        num_threads=1,
        minloglevel=2,
        **OPTIONS[option],
    )
    return out.getvalue()


def compare(data: bytes, texts: list[str], subject: str) -> None:
    judge = sentencepiece.SentencePieceProcessor(model_proto=data)
    ours = SentencePieceTokenizer(data)
    with judging(subject, "sentencepiece", "lines, odd texts, random ids") as tally:
        for text in texts:
            ids = judge.encode(text)
            assert ours.encode(text) == ids, text
            assert ours.decode(ids) == judge.decode(ids), text
        dice = random.Random(3)
        for _ in range(effort(100)):
            ids = [dice.randrange(len(judge)) for _ in range(6)]
            assert ours.decode(ids) == judge.decode(ids), ids
        tally.add(texts)


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("model_type", TYPES)
def test_small_models(model_type, option):
    if model_type in {"char", "word"} and option == "bytes":
        pytest.skip("the library has byte fallback for unigram and BPE alone")
    lines = [line for text in parallel().values() for line in text.splitlines()[:1]]
    compare(trained(model_type, option), lines + ODD, f"a small {model_type} model, {option}")


@pytest.mark.parametrize(
    "model_type, option", [("unigram", "plain"), ("bpe", "bytes"), ("bpe", "symbols")]
)
def test_few_letters(model_type, option):
    data = trained(model_type, option)
    judge, ours = (
        sentencepiece.SentencePieceProcessor(model_proto=data),
        SentencePieceTokenizer(data),
    )

    @settings(max_examples=effort(150))
    @given(st.text(LETTERS, max_size=16))
    def check(text):
        assert ours.encode(text) == judge.encode(text)

    check()


@pytest.mark.parametrize("name", REAL)
def test_real_models(name, shared):
    data = shared_file(shared, f"vocabs/sentencepiece/{name}.model").read_bytes()
    lines = [
        line for text in parallel().values() for line in text.splitlines()[: effort(2, most=10)]
    ]
    compare(data, lines + ODD + read("corpus.en").splitlines()[:50], name)


# ------------------------------------------------------------------ files


def test_what_a_file_says():
    file = read_model(trained("bpe", "bytes"))
    assert file.model_type == "bpe" and file.byte_fallback
    assert file.normalization.name == "nmt_nfkc" and file.normalization.charsmap
    assert [piece.text for piece in file.pieces[:3]] == ["<unk>", "<s>", "</s>"]
    assert file.unk_surface == " \u2047 "


def test_every_beginning_of_a_file_is_refused_or_read():
    data = trained("char", "identity")
    for end in range(0, len(data), 7):
        try:
            SentencePieceTokenizer(data[:end])
        except ValueError as error:
            assert str(error)


@settings(max_examples=effort(200))
@given(st.binary(max_size=60), st.integers(0, 3000))
def test_damaged_files_raise_nothing_else(noise, at):
    data = trained("bpe", "plain")
    for damaged in (noise, data[:at] + noise + data[at + len(noise) :]):
        try:
            tokenizer = SentencePieceTokenizer(damaged)
        except ValueError:
            continue
        tokenizer.decode(tokenizer.encode("a b 世"))


def test_ids_that_are_none():
    tokenizer = SentencePieceTokenizer(trained("char", "plain"))
    for id in (-1, len(tokenizer.pieces)):
        with pytest.raises(ValueError, match=f"no piece has the id `{id}`"):
            tokenizer.decode([id])
