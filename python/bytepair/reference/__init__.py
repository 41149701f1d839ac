"""The executable specification: byte-pair encoding with nothing but the standard library.

Read the files in the order of README.md; run them with `python -m bytepair.reference`.
"""

from __future__ import annotations

from bytepair.reference.bpe import BasicTokenizer, get_stats, merge
from bytepair.reference.pretokenize import NAMED, split
from bytepair.reference.special import split_special
from bytepair.reference.tokenizer import PatternTokenizer
from bytepair.reference.trace import trace
from bytepair.reference.train import count_pretokens, incremental, recount

__all__ = [
    "NAMED",
    "BasicTokenizer",
    "PatternTokenizer",
    "count_pretokens",
    "get_stats",
    "incremental",
    "merge",
    "recount",
    "split",
    "split_special",
    "trace",
]
