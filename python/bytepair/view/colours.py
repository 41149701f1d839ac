"""The colours of tokens: one cycle for the terminal and for HTML.

Neighbours differ in lightness as well as in hue, so that they stay apart for a reader who does not
see hues, and on paper. Dark ink on light ground reads the same on dark and on light screens.
"""

from __future__ import annotations

__all__ = ["ESCAPE_INK", "GROUNDS", "INK", "MUTED_INK"]

GROUNDS = ("#fff1b8", "#c4a9ec", "#d5f5c9", "#f2a38f", "#d6e9ff", "#84c9c2")
INK = "#17171c"
MUTED_INK = "#57525f"
ESCAPE_INK = "#9b0f2e"
