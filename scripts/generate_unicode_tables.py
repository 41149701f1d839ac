"""Write the Unicode tables of the reference (Python) and of the core (Rust) from one source.

    python scripts/generate_unicode_tables.py            write both files
    python scripts/generate_unicode_tables.py --check    exit 1 if a file is not current

General categories come from PyPI `unicodedata2`, whose version is the Unicode version. It has no
Script property, so the ranges of Script=Han stand below, as Scripts.txt of that version lists them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

import unicodedata2  # type: ignore[import-not-found]

VERSION = "16.0.0"
ROOT = Path(__file__).resolve().parent.parent
PYTHON_FILE = ROOT / "python/bytepair/reference/unicode.py"
RUST_FILE = ROOT / "crates/bytepair-core/src/pretokenize/unicode.rs"

Ranges = list[tuple[int, int]]

# Scripts.txt, Unicode 16.0.0, `Han`.
HAN: Ranges = [
    (0x2E80, 0x2E99),
    (0x2E9B, 0x2EF3),
    (0x2F00, 0x2FD5),
    (0x3005, 0x3005),
    (0x3007, 0x3007),
    (0x3021, 0x3029),
    (0x3038, 0x303B),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFA6D),
    (0xFA70, 0xFAD9),
    (0x16FE2, 0x16FE3),
    (0x16FF0, 0x16FF1),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B739),
    (0x2B740, 0x2B81D),
    (0x2B820, 0x2CEA1),
    (0x2CEB0, 0x2EBE0),
    (0x2EBF0, 0x2EE5D),
    (0x2F800, 0x2FA1D),
    (0x30000, 0x3134A),
    (0x31350, 0x323AF),
]

# The classes that the core's scanners test: constant, categories (or their first letter), spelling.
RUST_CLASSES = [
    ("LETTER", "L", r"`\p{L}`"),
    ("UPPERCASE_LETTER", "Lu", r"`\p{Lu}`"),
    ("TITLECASE_LETTER", "Lt", r"`\p{Lt}`"),
    ("MODIFIER_LETTER", "Lm", r"`\p{Lm}`"),
    ("OTHER_LETTER", "Lo", r"`\p{Lo}`"),
    ("LOWERCASE_LETTER", "Ll", r"`\p{Ll}`"),
    ("MARK", "M", r"`\p{M}`"),
    ("NUMBER", "N", r"`\p{N}`"),
    ("PUNCTUATION", "P", r"`\p{P}`"),
    ("SYMBOL", "S", r"`\p{S}`"),
]


def ranges_of(code_points: Iterable[int]) -> Ranges:
    """Sorted code points as inclusive ranges."""
    ranges: Ranges = []
    for code_point in code_points:
        if ranges and ranges[-1][1] == code_point - 1:
            ranges[-1] = (ranges[-1][0], code_point)
        else:
            ranges.append((code_point, code_point))
    return ranges


def general_categories() -> dict[str, list[int]]:
    """The code points of each two-letter category, surrogates and unassigned ones included."""
    categories: dict[str, list[int]] = {}
    for code_point in range(sys.maxunicode + 1):
        name = unicodedata2.category(chr(code_point))
        categories.setdefault(name, []).append(code_point)
    return dict(sorted(categories.items()))


def white_space(categories: dict[str, list[int]]) -> list[int]:
    """White_Space (PropList.txt): the separators, and six controls that are no separators."""
    controls = [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85]
    return sorted(controls + categories["Zs"] + categories["Zl"] + categories["Zp"])


def points_of(categories: dict[str, list[int]], name: str) -> Ranges:
    """The ranges of a category, or of all categories that a single letter stands for."""
    members = [points for category, points in categories.items() if category.startswith(name)]
    return ranges_of(sorted(point for points in members for point in points))


def table(ranges: Ranges, indent: int) -> str:
    """The ranges as pairs of hexadecimal numbers, as many on a line as fit in 100 columns."""
    lines = [""]
    for low, high in ranges:
        pair = f"(0x{low:X}, 0x{high:X}),"
        if len(lines[-1]) + len(pair) > 99 - indent:
            lines.append("")
        lines[-1] += f" {pair}" if lines[-1] else pair
    return "\n".join(" " * indent + line for line in lines)


PYTHON_HEAD = f"""\"\"\"Unicode {VERSION}: ranges of general categories, White_Space and Script=Han.

Adds the data that patterns need: inclusive (first, last) code points, sorted. Written by
scripts/generate_unicode_tables.py; do not edit.
\"\"\"

from __future__ import annotations

VERSION = "{VERSION}"

Ranges = tuple[tuple[int, int], ...]

# fmt: off
"""

RUST_HEAD = f"""//! Unicode {VERSION}: the classes that scanners test, as sorted inclusive ranges.
//! Written by scripts/generate_unicode_tables.py, as the reference's tables are; do not edit.

/// The version of Unicode that the tables follow.
pub const UNICODE_VERSION: &str = "{VERSION}";
"""


def python_source(categories: dict[str, list[int]]) -> str:
    source = PYTHON_HEAD
    source += f"WHITE_SPACE: Ranges = (\n{table(ranges_of(white_space(categories)), 4)}\n)\n\n"
    source += f"HAN: Ranges = (\n{table(HAN, 4)}\n)\n\n"
    source += "GENERAL_CATEGORIES: dict[str, Ranges] = {\n"
    for name, code_points in categories.items():
        source += f'    "{name}": (\n{table(ranges_of(code_points), 8)}\n    ),\n'
    return source + "}\n"


def rust_source(categories: dict[str, list[int]]) -> str:
    classes = [
        (constant, f"General category {spelling}.", points_of(categories, category))
        for constant, category, spelling in RUST_CLASSES
    ]
    source = RUST_HEAD
    for constant, about, ranges in [
        *classes,
        ("WHITE_SPACE", r"White_Space, which is `\s`.", ranges_of(white_space(categories))),
        ("HAN", r"Script=Han, which is `\p{Han}`.", HAN),
    ]:
        source += f"\n/// {about}\n#[rustfmt::skip]\n"
        source += f"pub static {constant}: &[(u32, u32)] = &[\n{table(ranges, 4)}\n];\n"
    return source


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the Unicode tables for Python and Rust.")
    parser.add_argument("--check", action="store_true", help="write nothing; compare")
    arguments = parser.parse_args()
    if unicodedata2.unidata_version != VERSION:
        found = unicodedata2.unidata_version
        print(f"error: `unicodedata2` has Unicode {found}, wanted {VERSION}", file=sys.stderr)
        return 1
    categories = general_categories()
    stale = []
    for path, source in (
        (PYTHON_FILE, python_source(categories)),
        (RUST_FILE, rust_source(categories)),
    ):
        if arguments.check:
            if not path.exists() or path.read_text(encoding="utf-8") != source:
                stale.append(path)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    for path in stale:
        print(f"error: `{path.relative_to(ROOT)}` is not current", file=sys.stderr)
    if stale:
        print("hint: run python scripts/generate_unicode_tables.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
