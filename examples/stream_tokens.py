"""Ids come one at a time from a model; only whole characters are shown, whatever the cuts."""

from __future__ import annotations

import bytepair

TEXT = "今天西安的天气怎么样？ 🌍 Sunny, I hope."

tok = bytepair.load("cl100k_base")  # a character may be spread over several of its tokens
stream = tok.stream()
shown = ""
for number in tok.encode(TEXT):
    piece = stream.push(number)
    print(f"{number:6}  {piece!r}")
    shown += piece
shown += stream.finish()
assert shown == TEXT
