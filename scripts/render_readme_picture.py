"""Draws docs/images/comparison.svg from real output: two lines as the terminal shows them."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI

import bytepair
from bytepair.view.terminal import print_comparison

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "images" / "comparison.svg"
LINES = ("What's the weather like in Xi'an today?", "今天西安的天气怎么样？")
NAMES = ("gpt2", "o200k_base", "deepseek_v3", "qwen2.5")
COLUMNS = 100

# The reader's own fonts: a picture in a README must not fetch any.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)


def main() -> None:
    console = Console(
        record=True,
        width=COLUMNS,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    tokenizers = {name: bytepair.load(name) for name in NAMES}
    for line in LINES:
        print_comparison(line, tokenizers, console)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    console.save_svg(
        str(PICTURE), title="bytepair", theme=DIMMED_MONOKAI, code_format=FORMAT, unique_id="bp"
    )
    print(f"{PICTURE.name}: {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
