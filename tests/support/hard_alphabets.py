"""Characters of every class that patterns tell apart, and texts that mix them.

The classes are read from Unicode 16's own data (`unicodedata2`), so none is forgotten.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Sequence

import unicodedata2
from hypothesis import strategies as st

from bytepair.pattern import named_patterns
from bytepair.reference.pattern import Translation
from bytepair.reference.unicode import WHITE_SPACE

#: Every character; surrogates are none.
EVERY = [chr(point) for point in itertools.chain(range(0xD800), range(0xE000, 0x110000))]
NAMES = {character: name for character in EVERY if (name := unicodedata2.name(character, None))}
CATEGORIES = dict(zip(EVERY, map(unicodedata2.category, EVERY), strict=True))


@functools.cache
def by_category() -> dict[str, dict[str, str]]:
    """General category → script → characters. The first word of a name stands for the script."""
    classes: dict[str, dict[str, list[str]]] = {}
    for character, category in CATEGORIES.items():
        script = NAMES.get(character, "?").split(" ", 1)[0]
        classes.setdefault(category, {}).setdefault(script, []).append(character)
    return {
        category: {script: "".join(members) for script, members in scripts.items()}
        for category, scripts in classes.items()
    }


def of_categories(*categories: str) -> st.SearchStrategy[str]:
    """One character of these general categories, every script as likely as another."""
    scripts = [members for name in categories for members in by_category()[name].values()]
    return st.builds(
        lambda members, at: members[at % len(members)],
        st.sampled_from(scripts),
        st.integers(0, 0xFFFF),
    )


def named_with(*words: str) -> str:
    """The characters whose names have one of these words."""
    pattern = re.compile(rf"\b(?:{'|'.join(words)})\b")
    return "".join(character for character, name in NAMES.items() if pattern.search(name))


BLANKS = "".join(chr(point) for low, high in WHITE_SPACE for point in range(low, high + 1))

# What `str.isspace`, other versions of Unicode or the eye would take for White_Space.
NAMED_LIKE_BLANKS = frozenset(named_with("SPACE", "BLANK", "SEPARATOR", "JOINER"))
LIKE_BLANKS = "".join(
    c for c in EVERY if c not in BLANKS and (c.isspace() or c in NAMED_LIKE_BLANKS)
)
APOSTROPHES = named_with("APOSTROPHE", "RIGHT SINGLE QUOTATION MARK")
NONCHARACTERS = "".join(c for c in EVERY if ord(c) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(c) <= 0xFDEF)

# In every mix of cases: LONG S is a case of s, and KELVIN SIGN of k.
FOLDED = [(c, c.casefold()) for c in EVERY]
CASES = {letter: [c for c, folded in FOLDED if folded == letter] for letter in "stremvldk"}
CONTRACTIONS = [
    mark + "".join(ending)
    for word in ("s", "t", "re", "ve", "m", "ll", "d", "k")
    for ending in itertools.product(*(CASES[letter] for letter in word))
    for mark in ("'", "\u2019")
]

# ------------------------------------------------------------------ emoji

FLAGS = named_with("REGIONAL INDICATOR")
SKINS = named_with("EMOJI MODIFIER")
TAGS = "".join(c for c, name in NAMES.items() if name.startswith(("TAG ", "CANCEL TAG")))
PICTURES = "".join(chr(p) for p in range(0x1F300, 0x1FB00) if CATEGORIES[chr(p)] == "So")


def emoji() -> st.SearchStrategy[str]:
    """Pictures joined, tinted and dressed; flags of letters and of tags; keycaps."""
    picture = st.builds(
        "".join,
        st.tuples(
            st.sampled_from(PICTURES),
            st.sampled_from(["", *SKINS]),
            st.sampled_from(["", "\ufe0f"]),
        ),
    )
    return st.one_of(
        st.lists(picture, min_size=1, max_size=4).map("\u200d".join),
        st.text(FLAGS, min_size=1, max_size=4),
        st.text(TAGS, min_size=1, max_size=6).map(lambda tags: "\U0001f3f4" + tags),
        st.sampled_from("0123456789#*").map(lambda key: key + "\ufe0f\u20e3"),
    )


# ------------------------------------------------------------------ soups


def pieces(special_tokens: Sequence[str] = ()) -> st.SearchStrategy[str]:
    """A piece of text of one class."""
    kinds = [
        st.text("abcXYZ", min_size=1, max_size=4),
        of_categories("Lu"),
        of_categories("Ll"),
        of_categories("Lt", "Lm"),
        of_categories("Lo"),
        of_categories("Mn", "Mc", "Me"),
        of_categories("Nd"),
        of_categories("Nl", "No"),
        st.text("0123456789", min_size=1, max_size=5),
        st.text(" \t\r\n", min_size=1, max_size=4),
        st.text(BLANKS, min_size=1, max_size=3),
        st.sampled_from(LIKE_BLANKS),
        st.sampled_from(APOSTROPHES),
        st.sampled_from(CONTRACTIONS),
        of_categories("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"),
        of_categories("Sm", "Sc", "Sk", "So"),
        st.text('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~', min_size=1, max_size=4),
        st.text(by_category()["Lo"]["CJK"], min_size=1, max_size=4),
        st.text(by_category()["Lo"]["THAI"] + by_category()["Mn"]["THAI"], min_size=1, max_size=4),
        st.text(indic(), min_size=1, max_size=4),
        emoji(),
        of_categories("Cc", "Cf"),
        of_categories("Cn", "Co"),
        st.sampled_from(NONCHARACTERS),
    ]
    if special_tokens:
        kinds += [of_special_tokens(special_tokens)] * 3
    return st.one_of(kinds)


@functools.cache
def indic() -> str:
    scripts = ("DEVANAGARI", "BENGALI", "TAMIL", "TELUGU", "MALAYALAM", "KHMER", "MYANMAR")
    categories = [by_category()[name] for name in ("Lo", "Mn", "Mc", "Nd")]
    return "".join(scripts_of.get(script, "") for scripts_of in categories for script in scripts)


def of_special_tokens(special_tokens: Sequence[str]) -> st.SearchStrategy[str]:
    """Special tokens whole, cut, and one inside another."""
    token = st.sampled_from(special_tokens)
    cut = st.builds(lambda text, at: (text[:at], text[at:]), token, st.integers(1, 12))
    return st.one_of(
        token,
        cut.map(lambda halves: halves[0]),
        cut.map(lambda halves: halves[1]),
        st.builds(lambda halves, inner: halves[0] + inner + halves[1], cut, token),
    )


def soups(special_tokens: Sequence[str] = ()) -> st.SearchStrategy[list[str]]:
    """Texts of many classes, with runs that are longer than any block of a scanner.

    The texts of one example are the same pieces, turned round: each piece is first and last once.
    """
    piece = pieces(special_tokens)
    run = st.builds(lambda text, times: text * times, piece, st.sampled_from([7, 15, 16, 33, 130]))
    soup = st.lists(st.one_of(*[piece] * 8, run), min_size=1, max_size=16)
    return soup.map(lambda some: ["".join(some[i:] + some[:i]) for i in range(len(some))])


# ------------------------------------------------------------------ every character


def forms(character: str) -> list[str]:
    """The character alone, doubled, and between letters, digits, blanks and line ends."""
    c = character
    return [c, c + c, f"a{c}a", f"1{c}1", f" {c} ", f"\n{c}\n"]


@functools.cache
def borders() -> list[str]:
    """The two characters at every border of every class that any named pattern uses, of
    White_Space, of a length in UTF-8, and of what normalization moves."""
    stages = [stage for named in named_patterns().values() for stage in named]
    classes = [Translation(stage).run() for stage in stages]
    ranges = [
        (int(first, 16), int(last or first, 16))
        for written in classes
        for first, last in re.findall(r"\\U(\w{8})(?:-\\U(\w{8}))?", written)
    ]
    ranges += [*WHITE_SPACE, (0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0xE000, 0x10FFFF)]
    points = {point for first, last in ranges for point in (first - 1, first, last, last + 1)}
    found = {chr(p) for p in points if 0 <= p < 0x110000 and not 0xD800 <= p < 0xE000}
    kinds = map(kind, EVERY)
    for neighbours, (before, here) in zip(
        itertools.pairwise(EVERY), itertools.pairwise(kinds), strict=True
    ):
        if before != here:
            found.update(neighbours)
    return sorted(found)


def kind(character: str) -> tuple[object, ...]:
    """What tells one character from the next: its category, and how normalization treats it."""
    return (
        CATEGORIES[character],
        unicodedata2.combining(character),
        unicodedata2.normalize("NFC", character) == character,
        unicodedata2.decomposition(character) == "",
    )


def described(text: str) -> str:
    """What a reader of a failure wants to know: `U+0131 LATIN SMALL LETTER DOTLESS I`."""
    return ", ".join(f"U+{ord(c):04X} {NAMES.get(c, 'without a name')}" for c in text)
