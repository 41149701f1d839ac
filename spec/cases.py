"""The inputs of the vectors: small, readable, hard. The reference gives the answers."""

from __future__ import annotations

from bytepair.reference.bpe import PRINTABLE

Text = str | bytes

# What real pretokens have stumbled over, one idea a text.
TEXTS: list[Text] = [
    "",
    "a",
    " ",
    "\n",
    "Hello, world!",
    "I'll pay $1234.50 for the cat's   hat!!\n",
    "It's we're you've I'm he'll she'd don't 'tis",
    "IT'S WE'RE YOU'VE I'M HE'LL SHE'D DON'T",
    "it'ſ IT'ſ 'ſ ſ'S x'ſy",  # U+017F folds to s
    "\u212a'm K'M \u212a",  # KELVIN SIGN folds to k
    "it\u2019s l\u2019eau don\u02bct",  # other apostrophes are no contractions
    "'''s '' 'l 'v 'r 'll 'LL 'Ll 'lL",
    "camelCase HTMLParser XMLHttpRequest iPhone eBay O'Neill",
    "ǅ ǅungla ʰa ªb ßẞ ŉ ﬁﬂ",  # title case, modifiers, ligatures
    "1 12 123 1234 12345 123456 1234567 3.14159 1,000,000",
    "²³¹ ½ Ⅷ ⅷ ④ ٣٤٥ १२३ 𝟏𝟐𝟑𝟒 一二三",
    "a1b22c333d4444",
    "a b  c   d    e",
    " a  b ",
    "  \n  a\n\n b \r\n\r\n\tc\t\t d",
    "a\n  ",
    "a  \n",
    "a \n \n ",
    "\r\n\n\r a\r",
    "x\t\ty \t z\v\fw",
    "a\u00a0b\u00a0\u00a0c\u3000d\u2003 e\u202ff",  # blanks of several bytes
    "a\u0085b\u2028c\u2029d\u2028\u2028 e",  # line ends that only Unicode knows
    "a\u200bb\u2060c\ufeffd\u00ade",  # invisible, yet no blanks
    "\ufeffBOM first",
    "\x00\x01 \x1b[0m\x7f",
    "\x1c\x1d\x1e\x1fa",  # Python's own str.isspace says blank; Unicode does not
    "/path/to//file/\n//\n/ #!/usr/bin/env",
    '!!! ... -- == <= => != && || :: ?? "\'"',
    " !a .b #c $d %e &f *g",
    "(a)[b]{c}<d>`e`",
    "    for i in range(10):\n        print(i)",
    "if (x) {\r\n\treturn y;\r\n}\r\n",
    "今天西安的天气怎么样？",
    "中文abc中文123中文 中文\n中文",
    "日本語のテキスト、カタカナーとひらがな。々〇〻",
    "龥龦鿿㐀𠀀𪛟𲎯",  # ends of the Han ranges, and of those that DeepSeek lists
    "한국어 텍스트 각",
    "Привет, мир! Ёлка",
    "Ελλάδα ΣΊΣΥΦΟΣ",
    "مرحبا بالعالم ١٢٣",
    "สวัสดีชาวโลก",
    "हिन्दी क्षत्रिय",
    "e\u0301 a\u0308\u0323 \u0301x \u0301",  # combining marks, one of them with nothing before it
    "A\u0301B\u0301c\u0301",
    "👍🏽 👨‍👩‍👧‍👦 🇨🇳 ❤️ 1️⃣",
    "😀😀😀",
    "\ud7ff\ue000\ufffd\ufffe\U0010ffff\U000e0001",
    "𐐀𐐨 𞤀𞤢 𝒜𝒷",  # cased letters beyond the first plane
    "\u1c89\u1c8a \ua7cb\ua7da \U00016d40",  # new in Unicode 16
    "\u0378\u0380 \U0001fbfa",  # unassigned
    "€ £ ¥ ± × ÷ © ™ → ∑",
    "a_b __init__ snake_case",
    "https://example.com/?q=a&b=c#d",
    "<|endoftext|>",
]

LENGTHS = (15, 16, 17, 31, 32, 33, 63, 64, 65)
RUNS: list[Text] = [
    *(unit * length for unit in ("a", "7", " ", "!", "\n") for length in LENGTHS),
    *("x" + " " * length + "y" for length in (15, 16, 31, 32, 63, 64, 65)),
    *("a" * length + "'s" + " b" for length in (61, 62, 63, 64, 65)),
    *("é" * length for length in (7, 8, 16, 31, 32, 33)),
    *("中" * length for length in (5, 10, 11, 21, 22)),
    *(" " * length + "中" for length in (61, 62, 63, 64)),
]

# Each maximal ill-formed run is one U+FFFD to the pattern, and its bytes are kept.
ILL_FORMED: list[Text] = [
    b"\xff",
    b"\x80\x80",
    b"a\xffb",
    b"a\xc3",
    b"a\xc3 b",
    b"\xe4\xb8a\xe4",
    b"\xf0\x9f\x8ca",
    b"\xf0\x9f\x8c\xf0\x9f\x8c\x8d",
    b"\xc0\xaf\xe0\x80\x80\xed\xa0\x80\xf4\x90\x80\x80\xf8",
    b"1\xff2 \xfe\n\xfd'\xfcs",
    b"\xe2\x80\xe2\x80\xa8\xe2",
    "a\ufffdb".encode() + b"\xff",
]

# name, stages, texts: each pattern for one rule.
# Characters that hold the bytes B2, B3, B9, BC, BD and BE, whose own characters are numbers.
BYTE_TEXTS: list[Text] = ["", "aò1b", "12²3½", "中ò3 4", "\u0b32\u0f39ຼ", "é \n\x00~\x7f"]

PATTERNS: list[tuple[str, tuple[str, ...] | None, list[Text]]] = [
    ("none", None, ["", "one pretoken\n", b"\xff\x00"]),
    ("gaps", (r"[0-9]+",), ["a1b22c", "none", "12", b"\xff1\xfe"]),
    ("empty-matches", (r"x*",), ["", "aaxxb", "x", "中x文", b"\xc3x\xff"]),
    ("empty-look-ahead", (r"(?=b)|c",), ["abbc", "cb", "bcc"]),
    ("text-start", (r"^a|b",), ["aab", "baa", "a\na"]),
    ("text-end", (r"x$|x\n|\s+$",), ["x\n", "x", "\nx", "x \n", "x \r\n "]),
    ("look-behind", (r"(?<=-)b|(?<!a)c",), ["a-bc", "acc-b", "c"]),
    ("lazy", (r"a+?|b{2,3}?",), ["aaabbbbb"]),
    ("possessive", (r"a++a|a|b{1,2}+b|b",), ["aaa", "bbbb", "bb"]),
    ("atomic", (r"(?>ab|a)c|.",), ["abc", "ac", "aac"]),
    ("any-but-line-end", (r".+",), ["a\nb\r\nc\u2028d", b"\xff\n\xfe"]),
    ("replacement", (r"\x{FFFD}+",), [b"a\xff\xfe\xe4\xb8b", "\ufffd", b"\xef\xbf\xbd\xff"]),
    ("folded", (r"(?i:[sdmt]|ll|kb)",), ["Sſ \u212aB Ll İi", "DsK"]),
    ("negated-folded", (r"(?i:[^sk])+",), ["aSſk\u212ab"]),
    ("intersection", (r"[\p{L}&&[^\p{Lu}\p{Han}]]+",), ["abC中文d", "Éé"]),
    ("nested", (r"[a-c[x-z]\-]+|[^\S\n]+",), ["abxyz-q \t\n "]),
    ("complements", (r"\P{L}+|[^\P{L}a-z]+|\S\D",), ["aB1中 2é", "x9"]),
    ("marks", (r"\p{L}\p{M}*|\p{Nd}|\p{Sc}|\p{Zs}",), ["e\u0301\u0302x 1€½", "a\u00a0b"]),
    ("stages-see-their-piece", (r"[-]", r"(?<=-)b|^c|d$"), ["a-bc", "a-c", "ad-ad", "cc-dd"]),
    ("three-stages", (r"[0-9]", r"[a-z]+", r"\s+"), ["ab 12 cd  ", b"\xff 1\xff"]),
    ("byte-alphabet", (r"(?#byte alphabet)\p{N}+",), [*BYTE_TEXTS, b"\xff\xb2\xb3\xe4\xb8"]),
    ("byte-alphabet-order", (r"(?#byte alphabet)[Ġ-Ń]|[À-ÿ]{2}",), BYTE_TEXTS),
    (
        "falcon",
        (
            r"[!-/:-@\[-`{-~\p{P}]+",
            r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
            r"(?#byte alphabet)\p{N}+",
            r"(?#byte alphabet)[0-9][0-9][0-9]",
        ),
        [*BYTE_TEXTS, "12345 \xb2\xb312345!!,ab", "\u0b32\u00f21234\u0f3e"],
    ),
]

SPECIAL: list[tuple[list[str], list[Text]]] = [
    (["<|a|>", "<|b|>"], ["", "x", "<|a|>", "x<|a|><|b|>y", "<|a|><|a|>", "<|a|", "<|a|<|a|>"]),
    (["<s>", "<s>>", "<"], ["<s>>", "<s>x", "<<s>", "<s", "<s><s>>>"]),
    (["aba", "bab"], ["ababa", "babab", "xabab"]),
    (["aa", "aaa"], ["aaaa", "aaaaa", "aaaaaa"]),
    (["ab", "abcd", "bc"], ["abcd", "abce", "xbcd"]),
    (["中", "文中"], ["中文中", "文中文"]),
    (["é"], ["e\u0301é", b"\xc3\xa9\xa9\xc3"]),
    (["\x00", " "], ["a \x00b  "]),
    (["<|a|>"], [b"\xff<|a|>\xf0\x9f", b"\xe4\xb8<|a|>\xad"]),
    ([".*", "[x]", "$"], ["a.*[x]$", "x*"]),
    ([], ["<|a|>", ""]),
]


def gpt2_byte_order() -> bytes:
    """The order in which tiktoken's r50k file ranks the bytes: printable ones, then the others."""
    return bytes(sorted(range(256), key=lambda byte: (byte not in PRINTABLE, byte)))


Pairs = list[tuple[bytes, bytes]]
ABC: Pairs = [(b"a", b"b"), (b"ab", b"c"), (b"b", b"c"), (b"c", b"d"), (b"abc", b"d")]
DOUBLES: Pairs = [(b"a" * n, b"a" * n) for n in (1, 2, 4, 8)]
LETTER_TEXTS: list[Text] = ["", "abc", "abcd", "bcd", "abcabcd", "aabbccdd", "dcba", "x abcd abc"]
SPECIAL_TEXTS: list[Text] = [
    "<|a|>",
    "abc<|a|>abc<|a|><|b|>",
    "<|a|<|b|>>",
    "<|a|>>abc",
    b"\xff<|b|>\xe4",
]
SURROGATES: list[Text] = [
    "a\ud83c\udf0db",
    "\ud83c",
    "\udf0d\ud83c",
    "x\udc00 \ud800\udbffy",
    "\ufeff\ud800",
]

# name, how it is made, texts. A tokenizer's fields are those of the "tokenizer" lines.
TOKENIZERS: list[tuple[str, dict[str, object], list[Text]]] = [
    ("merges", {"merges": ABC, "pattern": None}, LETTER_TEXTS),
    # (b, c) comes first, so that `abc` is out of reach although `ab` is a token.
    (
        "merges-other-order",
        {"merges": [ABC[i] for i in (2, 0, 1, 3, 4)], "pattern": None},
        LETTER_TEXTS,
    ),
    # The rank of `abcd` can be reached from both sides, and `bc` + `d` too.
    (
        "ranks",
        {
            "ranks": {b"bc": 256, b"abc": 257, b"cd": 258, b"bcd": 260, b"abcd": 259},
            "pattern": None,
        },
        LETTER_TEXTS,
    ),
    # Only a lookup of the whole pretoken finds `abcd`.
    (
        "ranks-orphan",
        {"ranks": {b"abcd": 256, b" abcd": 300}, "pattern": "gpt2"},
        [
            *LETTER_TEXTS,
            "abcd abcd abcde",
            " abcdabcd",
            "abcd!",
            b"abcd\xff",
        ],
    ),
    (
        "merges-orphan",
        {"merges": ABC[:2], "vocab": {256: b"ab", 257: b"abc", 258: b"abcd"}, "pattern": "gpt2"},
        LETTER_TEXTS,
    ),
    (
        "ignore-merges",
        {
            "merges": ABC[:2],
            "vocab": {256: b"ab", 257: b"abc", 258: b"abcd"},
            "pattern": "gpt2",
            "ignore_merges": True,
        },
        LETTER_TEXTS,
    ),
    # A merge's rank is its place in the list; ids play no part. Here ids run the other way.
    (
        "ids-against-ranks",
        {
            "merges": ABC,
            "vocab": {260 - n: left + right for n, (left, right) in enumerate(ABC)},
            "pattern": None,
        },
        LETTER_TEXTS,
    ),
    # The second merge makes the part of the first: its rank is lower than that of what it needs.
    (
        "needs-a-later-merge",
        {"merges": [(b"ab", b"c"), (b"c", b"a"), (b"a", b"b")], "pattern": None},
        ["abcabc", "abab", "cabc", "ccaabb"],
    ),
    ("doubles", {"merges": DOUBLES, "pattern": None}, ["a" * n for n in (*range(1, 18), *LENGTHS)]),
    (
        "doubles-other-order",
        {"merges": [DOUBLES[n] for n in (3, 2, 1, 0)], "pattern": None},
        ["a" * n for n in (2, 3, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65)],
    ),
    (
        "overlapping",
        {"ranks": {b"aa": 256, b"aaa": 257, b"ab": 258, b"aab": 259, b"ba": 260}, "pattern": None},
        ["aaa", "aaaa", "aaab", "aabaab", "abab", "babab"],
    ),
    # Bytes numbered as in tiktoken's r50k file: a byte's value is not its id.
    (
        "byte-order",
        {
            "ranks": {b"ab": 256, b"\xc3\xa9": 257},
            "byte_order": gpt2_byte_order(),
            "pattern": "gpt2",
        },
        ["ab \x00\n", "é\u00ad", b"\xff\x7f\xa1"],
    ),
    (
        "special",
        {
            "merges": ABC,
            "pattern": "gpt2",
            "special_tokens": {"<|a|>": 300, "<|b|>": 299, "<|a|>>": 400},
        },
        SPECIAL_TEXTS,
    ),
    (
        "special-first",
        {
            "merges": ABC[:2],
            "vocab": {258: b"ab", 259: b"abc"},
            "first_byte": 2,
            "pattern": "gpt2",
            "special_tokens": {"<|a|>": 0, "<|b|>": 1},
        },
        SPECIAL_TEXTS,
    ),
    # Special tokens are found before normalization; merges see composed characters.
    (
        "nfc",
        {
            "merges": [(b"\xc3", b"\xa9"), (b"\xe4", b"\xb8"), (b"\xea", b"\xb0")],
            "pattern": "gpt2",
            "special_tokens": {"<e\u0301>": 300},
            "normalization": "nfc",
        },
        [
            "e\u0301 \u00e9",
            "<e\u0301><\u00e9>",
            "e<e\u0301>\u0301",
            "\u212b \u2126 \u1e9b\u0323 a\u0323\u0308",
            "\u1100\u1161\u11a8 \uac00\u11a8",
            "\u0958 \u0344 \ufb1d \U0001d15e",
            "\u0301e\u0301",
            b"e\xff\xcc\x81\xe4e\xcc\x81\xcc",
        ],
    ),
    *(
        (
            name,
            {
                "merges": [(b" ", b"a"), (b"\xc3", b"\xa9"), (b" ", b"\xc3\xa9"), (b" ", b" ")],
                "pattern": pattern,
                "special_tokens": {"<|a|>": 300},
                "normalization": name.removesuffix("-whole").replace("-", "_"),
            },
            [
                *["", " ", "a", " a", "  a", "a a", "\u00a0a", "\ta", "\n", "e\u0301", "\u0301"],
                *["<|a|>", "a<|a|>a", "<|a|> a<|a|><|a|>\u00e9", b"\xffa", b"\xcc"],
            ],
        )
        for name, pattern in [
            ("prefix-space", "gpt2"),
            ("nfc+prefix-space", "gpt2"),
            ("prefix-space-whole", None),
        ]
    ),
    (
        "byte-alphabet",
        {
            "merges": [(b"\xc3", b"\xb2"), (b"1", b"2"), (b"\xb2", b"1"), (b"a", b"\xc3")],
            "pattern": ("gpt2", r"(?#byte alphabet)\p{N}+"),
        },
        [*BYTE_TEXTS, "aò12", b"\xb21\xff"],
    ),
    (
        "deepseek-stages",
        {
            "merges": [(b"1", b"2"), (b"\xe4", b"\xbb"), (b"\xe4\xbb", b"\x8a")],
            "pattern": "deepseek_v3",
        },
        ["12312 今天今abc12", "今12今!abc\n\n 今", b"12\xff\xe4\xbb1212"],
    ),
    (
        "surrogates",
        {"merges": [(b"\xf0", b"\x9f"), (b"\xef", b"\xbf")], "pattern": "gpt2"},
        SURROGATES,
    ),
]

# Ids of the tokenizer "special", and of "special-first".
DECODE: list[tuple[str, list[int]]] = [
    ("special", []),
    ("special", [104, 105]),
    ("special", [300, 257, 299, 400]),
    ("special", [0xE4, 0xBD, 0xA0]),
    ("special", [0xE4, 0xBD]),
    ("special", [0xF0, 0x9F, 0x8C, 97]),
    ("special", [0xE4, 300, 0xBD, 0xA0]),
    ("special", [0x80, 0xFF, 0xC0, 0xAF, 0xED, 0xA0, 0x80]),
    ("special", [0xEF, 0xBB, 0xBF, 97]),
    ("special", [97, 261, 98]),
    ("special", [301]),
    ("special-first", [0, 99, 258, 259, 1]),
    ("special-first", [99, 260]),
    ("byte-order", [0, 188, 256, 257]),
]

TIES_TEXT = "ba ab cb bc ca ac ba ab cb bc ca ac"
MIXED: list[Text] = [
    "the cat in the hat sat on the mat, the cat's hat! 2024 2025 2024",
    "今天天气好，今天去西安，今天怎么样？西安天气差。",
    "<|doc|>aaaa aaaaa aaaaaa<|doc|><|doc|>lower lowest newer newest widest<|doc|>",
    "café cafe\u0301 naïve   tabs\t\tand\n\nlines\n",
    b"broken \xff\xfe bytes \xe4\xb8 here \xff\xfe bytes",
    "",
]
CORPORA: dict[str, list[Text]] = {
    "one-text": ["the cat in the hat sat on the mat"],
    "hello": ["hello world, hello python, hello AI! It is a beautiful world."],
    "equal-counts": [TIES_TEXT],
    "order-reversed": ["ca ac zx xz", "xz zx ac ca"],
    "high-bytes": ["\u00ff\u0100\u00ff\u0100 éàéà ñ~ñ~ \x7f!\x7f! \x00\x01\x00\x01"],
    "runs": ["aaaaaaaaaaaaaaaaa aaaaaa aaa bbbbbbb"],
    "empty": [],
    "mixed": MIXED,
}
ALL_TIES = ("bytes", "ids", "first", "huggingface")

# corpus, options; each is trained under every tie rule that is listed.
TRAIN: list[tuple[str, tuple[str, ...], dict[str, object]]] = [
    ("one-text", ALL_TIES, {"vocab_size": 261, "pattern": None}),
    ("hello", ALL_TIES, {"vocab_size": 270, "pattern": None}),
    ("equal-counts", ALL_TIES, {"vocab_size": 262, "pattern": None}),
    ("equal-counts", ALL_TIES, {"vocab_size": 264}),
    ("order-reversed", ALL_TIES, {"vocab_size": 264}),
    ("high-bytes", ALL_TIES, {"vocab_size": 280}),
    ("runs", ALL_TIES, {"vocab_size": 264, "pattern": None}),
    ("runs", ALL_TIES, {"vocab_size": 400}),
    ("empty", ("bytes",), {"vocab_size": 257}),
    ("mixed", ALL_TIES, {"vocab_size": 320}),
    ("mixed", ALL_TIES, {"vocab_size": 300, "special_tokens": ["<|doc|>"]}),
    ("mixed", ("bytes",), {"vocab_size": 257, "special_tokens": ["<|doc|>"]}),
    ("mixed", ("bytes",), {"vocab_size": 256}),
    (
        "mixed",
        ("bytes", "huggingface"),
        {"vocab_size": 290, "special_tokens": ["<|doc|>", "<|end|>"], "special_first": True},
    ),
    ("mixed", ("bytes", "first"), {"vocab_size": 400, "min_count": 4}),
    ("mixed", ALL_TIES, {"vocab_size": 300, "max_token_length": 3}),
    ("mixed", ("bytes",), {"vocab_size": 300, "pattern": "deepseek_v3"}),
    ("mixed", ("bytes",), {"vocab_size": 300, "pattern": "o200k", "special_tokens": ["a", "aa"]}),
]
