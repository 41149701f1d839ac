"""From raw text to a tokenizer and back: what `make demo` shows. Takes the file to save as."""

from __future__ import annotations

import sys
import time
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console
from rich.table import Table

import bytepair
from bytepair.view.terminal import print_comparison

UNSEEN = "Naïve readers of 2026 never saw this text: 🌍, 世界, “quotes”."
LINES = ("今天西安的天气怎么样？", "What's the weather like in Xi'an, 1,374 steps from home?")
BUNDLED = ("gpt2", "o200k_base", "deepseek_v3", "qwen2.5")
out = Path(sys.argv[1] if len(sys.argv) > 1 else "tokenizer.json")
console = Console()
with as_file(files("bytepair") / "texts" / "corpus.en") as corpus:
    text, start = corpus.read_bytes(), time.perf_counter()
    counts = bytepair.count_pretokens(bytepair.files(corpus), pattern="gpt2")
    tok = bytepair.train(counts, vocab_size=256 + 2_000, progress=True)
    seconds = time.perf_counter() - start

table = Table("bytes", "pretokens", "unique", "merges", "seconds", "bytes per token")
sizes = (counts.text_bytes, counts.total, len(counts), len(tok.merges))
table.add_row(*(f"{n:,}" for n in sizes), f"{seconds:.2f}", f"{len(text) / tok.count(text):.2f}")
console.print("\nTrained on corpus.en:", table)

tok.save(out)
again = bytepair.load(out)
ids = again.encode(UNSEEN)
console.print(f"Saved {out} and loaded it again. A text that it has not seen:", UNSEEN)
console.print(f"{len(ids)} ids:", str(ids), "\nand back:", again.decode(ids), "\n")
tokenizers = {"the new one": again} | {name: bytepair.load(name) for name in BUNDLED}
for line in LINES:
    print_comparison(line, tokenizers, console)
