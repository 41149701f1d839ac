"""Texts to one flat array of ids for training a model: what a memory-mapped data set holds."""

from __future__ import annotations

import numpy as np

import bytepair

TEXTS = ["A first document.", "第二个文档。", "", "A last one, longer than the others."]

tok = bytepair.load("gpt2")
end = tok.special_tokens["<|endoftext|>"]
ids, offsets = tok.encode_batch_to_numpy(TEXTS)
for text, start, stop in zip(TEXTS, offsets[:-1], offsets[1:], strict=True):
    assert tok.decode(ids[start:stop].tolist()) == text

flat = np.insert(ids, offsets[1:], end)  # each document followed by its end
flat.tofile("train.bin")
print(f"{len(TEXTS)} texts, {flat.size} ids of {flat.dtype}, {flat.nbytes} bytes in train.bin")
assert np.fromfile("train.bin", dtype=flat.dtype).tolist() == flat.tolist()
