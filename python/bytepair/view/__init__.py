"""Tokens turned into something to look at: pieces (data), terminal and progress (rich), html."""

from __future__ import annotations
