"""The outside judge, built from the bundled data itself: it needs no network and no file."""

from __future__ import annotations

import functools

import pytest
import tiktoken

import bytepair

load = functools.cache(bytepair.load)

# Names whose tokenizer is one pattern and ranks, which is what tiktoken can run.
RANKED = [name for name in bytepair.names() if name != "deepseek_v3"]

SAMPLES = [
    "",
    "The quick brown fox jumps over the lazy dog. It's 3:45pm, isn't it? I'LL say WE'RE late!",
    "今天西安的天气怎么样？敏捷的棕色狐狸跳过了那只懒狗。𠮷野家、東京タワー、ひらがなとカタカナ",
    "مرحبا بالعالم، كيف حالك؟ שלום עולם, מה שלומך? ١٢٣٤٥ ۱۲۳۴۵",
    "Привет, мир! Γειά σου Κόσμε· Բարեւ աշխարհ, გამარჯობა მსოფლიო",
    "नमस्ते दुनिया ১২৩৪৫ สวัสดีชาวโลก ជំរាបសួរ မင်္ဂလာပါ ສະບາຍດີ",
    "안녕하세요 세계! Tiếng Việt: Xin chào thế giới; Türkçe: İstanbul'da ığdır",
    "e\u0301 Å \u212b ﬁ ① Ⅻ ½ x² ᾀ ŉ \u1e9b\u0323 \u0344 한글 \u1112\u1161\u11ab",
    "😀👩‍👩‍👧‍👦🏳️‍🌈🇪🇺👍🏽 …—“quoted” ‘it’s’ «так» ¿qué? №5 €100 £9.99 ±∞≠≤√∑∂",
    "    for i in range(10):\n        print(i)\n\n\n\tif x:\r\n\t\treturn  {1: [2.5e-1]} \r\n   ",
    "12345 + 67890 = 80235; 123456789012345678901234567890 0x1F600 1,234.56 2024-11-30T22:05:24Z",
    "\x00\x01\x7f\x80\x85\xa0\u1680\u2028\u2029\u200b\u3000\ufeff\ufffd\ufffe\U0010ffff",
    " " * 100 + "\n" * 70 + "\t" * 33 + "a" * 200 + "!" * 90 + "=" * 130 + "好" * 50,
    "https://example.org/a/b?c=d&e=f#g <div class='x'>&amp;</div> /* c */ // d\n# e\n-- f\n/\n//\n",
    " SolidGoldMagikarp\n\n  indented\n \n\t mixed\u00a0 blanks \r\r\n end ",
]


@functools.cache
def judge(name: str) -> tiktoken.Encoding:
    """tiktoken with the bundled ranks, pattern and special tokens of `name`."""
    tok = load(name)
    return tiktoken.Encoding(
        name,
        pat_str=tok.pattern,
        mergeable_ranks={token: id for id, token in tok.vocab.items()},
        special_tokens=tok.special_tokens,
    )


@pytest.fixture(params=bytepair.names())
def name(request) -> str:
    """Each bundled name."""
    return request.param
