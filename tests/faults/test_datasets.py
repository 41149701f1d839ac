"""Faults of datasets: ids that did not fit into their numbers, and were wrapped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from entry_points import command

from bytepair import Tokenizer


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 70_000, 119_000, 152_000])
def test_N01_the_dtype_holds_every_id(tmp_path: Path, size: int) -> None:
    tok = Tokenizer.from_merges([], special_tokens={"<last>": size - 1})
    assert tok.vocab_size == size
    texts = ["a<last>", "", "<last><last>b"]
    expected = [97, size - 1, size - 1, size - 1, 98]
    ragged = tok.encode_batch_to_numpy(texts, allowed_special="all")
    assert ragged.ids.dtype == (np.uint16 if size <= 65_536 else np.uint32)
    assert ragged.ids.tolist() == expected
    np.save(tmp_path / "ids.npy", ragged.ids)
    assert np.load(tmp_path / "ids.npy").tolist() == expected
    if size > 65_536:
        with pytest.raises(ValueError, match=f"up to 65535.* up to {size - 1}: use `uint32`"):
            tok.encode_batch_to_numpy(texts, dtype="uint16", allowed_special="all")
    tok.save(tmp_path / "tokenizer.json")
    (tmp_path / "text").write_text("a<last>")
    out = tmp_path / "out.npy"
    arguments = ["--allowed-special", "all", tmp_path / "text", "--numpy", out]
    assert command("encode", "-t", tmp_path / "tokenizer.json", *arguments).code == 0
    assert np.load(out).tolist() == expected[:2]
