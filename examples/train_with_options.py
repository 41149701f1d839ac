"""Training with special tokens, a GPT-4 pattern and stated ties; the options travel in the file."""

from __future__ import annotations

import bytepair

DOCUMENTS = ["low lower lowest", "new newer newest", "wide wider widest"] * 50
SEPARATOR = "<|endoftext|>"

tok = bytepair.train(
    [SEPARATOR.join(DOCUMENTS)],
    vocab_size=256 + 1 + 12,  # the bytes, the special token, and 12 merges
    pattern="cl100k",
    special_tokens=[SEPARATOR],
    ties="bytes",
)
print("merges:", [(left + right).decode() for left, right in tok.merges])

tok.save("tokenizer.json")
again = bytepair.load("tokenizer.json")
text = f"lowest{SEPARATOR}newest"
assert again.encode(text) == tok.encode(text)
print("as text:         ", again.encode(text))
print("as special token:", again.encode(text, allowed_special={SEPARATOR}))
