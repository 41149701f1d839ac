"""Texts that tokenizers have stumbled over, and small tokenizers trained on them."""

from __future__ import annotations

import functools
import warnings

from hypothesis import strategies as st

import bytepair
from bytepair.pattern import named_patterns
from bytepair.reference import PatternTokenizer

NAMES = sorted(named_patterns())

# What the patterns tell apart, and what engines of regular expressions and versions of Unicode
# disagree about.
LETTERS = (
    "a b Z é ß ſ \u212a ʰ ª Ǆ ǅ 中 文 あ カ 한 \u1112\u1161\u11ab ก ำ ع ा 1 23 456 ² ½ Ⅷ ٣ १ 𝟏 一"
)
OTHERS = (
    "' 's 'S 'ſ 't 're 'VE 'll 'm 'd ’s ʼn . , ! ? ... -- _ / \\ ` ~ § € 、 。 「 《 "
    "<|a|> <|a| |> <|a|>> < é<"
)
FRAGMENTS = [
    *LETTERS.split(" "),
    *OTHERS.split(" "),
    *[" ", "  ", "   ", "\n", "\r\n", "\r", "\n\n", "\t", "\v", "\f", "\x1c", "\x1f", "\x85"],
    *["\u00a0", "\u2003", "\u2028", "\u3000", "\u180e", "\u200b", "\ufeff", "\u00ad"],
    *["e\u0301", "\u0301", "\u0327\u0301", "a\u0323\u0307", "\u1e0b\u0323", "\u093c"],
    *["🌍", "👨\u200d👩\u200d👧", "👍🏽", "🇩🇪", "❤\ufe0f", "𐍈", "𝔘", "\U000e0101", "\U0010ffff"],
    *["\x00", "\x7f", "\ue000", "\ufffd", "\uffff", "\u0378"],
    *[" the", " cat", "HTMLParser", "camelCase", " don't", " DON'T", " 3.14", "aaaa", "aaaaaaa"],
]

SPECIAL_TOKENS = ["<|a|>", "<|a|>>", "é<"]

#: `str` without surrogates.
TEXTS = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=24),
    st.text("a1 '\n\réſ<|>", max_size=24),
)

#: `str` that may hold surrogates, in pairs and alone.
BROKEN_TEXTS = st.lists(
    st.one_of(
        st.sampled_from([*FRAGMENTS, "\ud83c", "\udf0d", "\ud83c\udf0d"]), st.text(max_size=4)
    ),
    max_size=12,
).map("".join)

#: Bytes that need not be UTF-8: random ones, and texts with pieces cut out of their characters.
DATA = st.one_of(
    st.binary(max_size=30),
    st.lists(
        st.one_of(
            st.sampled_from([text.encode() for text in FRAGMENTS]),
            st.sampled_from(
                [b"\xf0\x9f\x8c", b"\xe4\xb8", b"\x80", b"\xff", b"\xed\xa0\x80", b"\xc0"]
            ),
        ),
        max_size=12,
    ).map(b"".join),
)

ANY_TEXT = st.one_of(TEXTS, BROKEN_TEXTS, DATA)


def as_data(text: str | bytes) -> bytes:
    """The bytes that a text means: UTF-8, surrogate pairs joined, lone ones as U+FFFD."""
    if isinstance(text, bytes):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


CORPUS = [
    " ".join(FRAGMENTS),
    "".join(FRAGMENTS) * 2,
    "the cat in the hat sat on the mat, the cat's hat; don't DON'T aaaa aaaaa éé 中文中文 \n\n  x"
    * 3,
    "i'm 12345 and 67890, 1234567 ... 今天西安的天气怎么样？今天天气好。 สวัสดีครับ สวัสดีค่ะ" * 2,
]


@functools.cache
def trained(pattern: str, size: int = 480) -> bytepair.Tokenizer:
    """A tokenizer for a named pattern, with `SPECIAL_TOKENS`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bytepair.TrainingWarning)
        return bytepair.train(
            CORPUS, size, pattern=pattern, special_tokens=SPECIAL_TOKENS, threads=1
        )


@functools.cache
def normalizing() -> bytepair.Tokenizer:
    """A tokenizer that normalizes to NFC, as Qwen's does."""
    tok = trained("qwen2")
    return bytepair.Tokenizer.from_merges(
        tok.merges, pattern="qwen2", special_tokens=tok.special_tokens, normalization="nfc"
    )


def reference(tok: bytepair.Tokenizer) -> PatternTokenizer:
    """The same tokenizer, slow and obvious."""
    return PatternTokenizer.from_merges(
        tok.merges,
        tok.vocab,
        pattern=tok.pattern,
        special_tokens=tok.special_tokens,
        normalization=tok.normalization,
        ignore_merges=tok.ignore_merges,
    )
