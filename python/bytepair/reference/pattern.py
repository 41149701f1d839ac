"""Patterns as tokenizers write them, made fit for Python's `re`.

Adds the translation that the next file stands on; skip it on a first reading. Published patterns
use the syntax of Rust's regex crates: Unicode classes, classes that intersect. `re` knows neither,
and its Unicode is not version 16, so every class is written out as ranges of code points here. What
cannot be translated exactly is refused by name; a pattern never means something else in silence.
"""

from __future__ import annotations

import re
from functools import cache

from bytepair.reference import unicode

Ranges = list[tuple[int, int]]

LAST = 0x10FFFF
DIGIT_ESCAPES = {"x": 2, "u": 4, "U": 8}
CONTROL_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}
GROUPS = ("(?i:", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>")
CLASS_OPERATORS = ("--", "~~", "-[", "[:")
REPEAT = re.compile(r"(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})[+?]?")
# Simple case folding joins two characters beyond ASCII to ASCII letters: LONG S and KELVIN SIGN.
FOLDED = {"s": 0x17F, "k": 0x212A}


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The pattern as a compiled `re`; ValueError if it is wrong or cannot be translated."""
    translated = Translation(pattern).run()
    try:
        return re.compile(translated)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"pattern `{pattern}` does not compile: {error}") from None


def union(*classes: Ranges) -> Ranges:
    """Sorted, disjoint ranges that hold what any of the classes holds."""
    joined: Ranges = []
    for low, high in sorted(pair for ranges in classes for pair in ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined


def complement(ranges: Ranges) -> Ranges:
    """What the class does not hold. `ranges` must be sorted and disjoint."""
    ends = [-1, *(edge for low, high in ranges for edge in (low - 1, high)), LAST]
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return [(low + 1, high) for low, high in pairs if low < high]


def intersection(left: Ranges, right: Ranges) -> Ranges:
    return complement(union(complement(left), complement(right)))


def unicode_class(name: str) -> Ranges | None:
    """The class that `\\p{name}` stands for: a general category, a group of them, or Han."""
    if name == "Han":
        return list(unicode.HAN)
    members = [
        list(ranges)
        for category, ranges in unicode.GENERAL_CATEGORIES.items()
        if name and name in (category, category[0])
    ]
    return union(*members) if members else None


class Translation:
    """One walk over the pattern, from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.folding = [False]  # for each open group: does it ignore case?

    def run(self) -> str:
        translated = []
        while self.at < len(self.pattern):
            translated.append(self.element())
        return "".join(translated)

    def refuse(self, what: str, start: int) -> ValueError:
        return ValueError(f"pattern `{self.pattern}`: {what} at character {start}")

    def take(self, text: str) -> bool:
        found = self.pattern.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def element(self) -> str:
        """One piece of the pattern outside any class."""
        start = self.at
        character = self.pattern[start]
        if character == "(":
            return self.open_group()
        if character == "[":
            return write(self.bracketed(depth=1))
        if repeat := REPEAT.match(self.pattern, start):
            self.at = repeat.end()
            return repeat.group()
        if character in "{}":
            raise self.refuse(f"`{character}` is no repetition; write `\\{character}`,", start)
        if self.take("\\A") or self.take("^"):
            return r"\A"
        if self.take("\\z") or self.take("$"):
            return r"\Z"
        if self.take(".") or self.take("|"):
            return character
        if self.take(")"):
            if len(self.folding) == 1:
                raise self.refuse("`)` closes nothing", start)
            self.folding.pop()
            return ")"
        atom = self.atom()
        return write(self.fold(atom, atom, start) if isinstance(atom, int) else atom)

    def open_group(self) -> str:
        start = self.at
        for opening in GROUPS:
            if self.take(opening):
                self.folding.append(self.folding[-1] or opening == "(?i:")
                return opening.replace("i", "")
        self.at += 1
        if self.take("?"):
            raise self.refuse(f"`{self.pattern[start : start + 3]}` is not supported", start)
        self.folding.append(self.folding[-1])
        return "("

    def atom(self) -> int | Ranges:
        """A code point, or the class that an escape stands for."""
        start = self.at
        self.at += 1
        if self.pattern[start] != "\\":
            return ord(self.pattern[start])
        letter = self.pattern[self.at : self.at + 1]
        self.at += 1
        if letter in ("p", "P"):
            return self.property(negated=letter == "P", start=start)
        if letter in ("s", "S", "d", "D"):
            name = unicode.WHITE_SPACE if letter in "sS" else unicode.GENERAL_CATEGORIES["Nd"]
            return list(name) if letter.islower() else complement(list(name))
        if letter in DIGIT_ESCAPES:
            return self.code_point(DIGIT_ESCAPES[letter], start)
        if letter in CONTROL_ESCAPES:
            return ord(CONTROL_ESCAPES[letter])
        if letter and letter.isascii() and not letter.isalnum() and letter not in "<>":
            return ord(letter)
        raise self.refuse(f"`\\{letter}` is not supported", start)

    def property(self, negated: bool, start: int) -> Ranges:
        found = re.compile(r"\{([^{}]*)\}|([A-Z])").match(self.pattern, self.at)
        self.at = found.end() if found else self.at
        name = (found[1] or found[2] or "") if found else ""
        ranges = unicode_class(name)
        if ranges is None or self.folding[-1]:
            where = " under `(?i:`" if self.folding[-1] else ""
            raise self.refuse(f"the class `{name}` is not supported{where}", start)
        return complement(ranges) if negated else ranges

    def code_point(self, digits: int, start: int) -> int:
        """`\\x41`, `\\u0041`, `\\U00000041`, or any of the three with `{41}`."""
        syntax = rf"\{{([0-9A-Fa-f]{{1,8}})\}}|([0-9A-Fa-f]{{{digits}}})"
        found = re.compile(syntax).match(self.pattern, self.at)
        value = int(found[1] or found[2], 16) if found else LAST + 1
        if found is None or value > LAST or 0xD800 <= value <= 0xDFFF:
            raise self.refuse("this escape names no character", start)
        self.at = found.end()
        return value

    def fold(self, low: int, high: int, start: int) -> Ranges:
        """The range, and the other case of its letters where case is ignored."""
        if not self.folding[-1]:
            return [(low, high)]
        if high > 0x7F:
            raise self.refuse("characters beyond ASCII are not supported under `(?i:`,", start)
        letters = {chr(point).lower() for point in range(low, high + 1) if chr(point).isalpha()}
        others = [ord(letter.upper()) for letter in letters] + [ord(letter) for letter in letters]
        others += [FOLDED[letter] for letter in letters if letter in FOLDED]
        return union([(low, high)], [(point, point) for point in others])

    def bracketed(self, depth: int) -> Ranges:
        """A class in brackets; it may hold classes, and `&&` intersects what stands beside it."""
        start = self.at
        if depth > 20:
            raise self.refuse("classes are nested more than 20 deep", start)
        self.at += 1
        negated = self.take("^")
        operands: list[list[Ranges]] = [[]]
        while not self.take("]"):
            if self.at >= len(self.pattern):
                raise self.refuse("this class is not closed:", start)
            if self.pattern.startswith(CLASS_OPERATORS, self.at):
                operator = self.pattern[self.at : self.at + 2]
                raise self.refuse(f"`{operator}` in a class is not supported", self.at)
            if self.take("&&"):
                operands.append([])
            elif self.pattern[self.at] == "[":
                operands[-1].append(self.bracketed(depth + 1))
            else:
                operands[-1].append(self.class_item())
        if operands == [[]]:
            raise self.refuse("this class is empty (a bracket in it is written `\\]`):", start)
        ranges = union(*operands[0])
        for operand in operands[1:]:
            ranges = intersection(ranges, union(*operand))
        return complement(ranges) if negated else ranges

    def class_item(self) -> Ranges:
        """A code point, a range of them, or the class of an escape."""
        start = self.at
        low = self.atom()
        if isinstance(low, list):
            return low
        following = self.pattern[self.at : self.at + 2]
        if following[:1] != "-" or following in ("-]", "--", "-["):
            return self.fold(low, low, start)
        self.at += 1
        high = self.atom()
        if isinstance(high, list) or high < low:
            raise self.refuse("a range in a class must go up to a character", start)
        return self.fold(low, high, start)


def write(ranges: Ranges) -> str:
    """The class in the syntax of `re`, every code point by its number."""
    if not ranges:
        return "(?!)"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return f"\\U{ranges[0][0]:08x}"
    return "[" + "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges) + "]"
