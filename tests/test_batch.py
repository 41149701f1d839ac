"""Many texts, many threads, many processes: the same ids as one by one."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from effort import effort
from hard_texts import ANY_TEXT, CORPUS, FRAGMENTS, NAMES, trained
from hypothesis import given, settings
from hypothesis import strategies as st

import bytepair
from bytepair import SpecialTokenError, Tokenizer

TEXTS: list[str | bytes] = [
    *FRAGMENTS,
    *CORPUS,
    "",
    b"\xff\xf0\x9f",
    "\ud800",
    "".join(CORPUS) * 20,
]


@pytest.mark.parametrize("threads", [None, 1, 2, 3, 8, 200])
def test_threads_never_change_a_result(threads: int | None) -> None:
    tok = trained("cl100k")
    ids = [tok.encode(text) for text in TEXTS]
    assert tok.encode_batch(TEXTS, threads=threads) == ids
    assert tok.count_batch(TEXTS, threads=threads).tolist() == list(map(len, ids))
    flat, offsets = tok.encode_batch_to_numpy(TEXTS, threads=threads)
    assert flat.tolist() == [id for row in ids for id in row]
    assert offsets.tolist() == [0, *np.cumsum([len(row) for row in ids])]


@settings(max_examples=effort(30))
@given(texts=st.lists(ANY_TEXT, max_size=30), threads=st.integers(1, 4))
def test_a_batch_is_one_by_one(texts: list[str | bytes], threads: int) -> None:
    tok = trained("gpt2")
    batch = tok.encode_batch(texts, threads=threads, allowed_special="all")
    assert batch == [tok.encode(text, allowed_special="all") for text in texts]


def test_any_iterable_is_a_batch() -> None:
    tok = trained("gpt2")
    rows = [tok.encode("a"), tok.encode("b")]
    assert tok.encode_batch(("a", b"b")) == rows
    assert tok.encode_batch(text for text in "ab") == rows
    assert tok.encode_batch(np.array(["a", "b"])) == rows
    assert tok.encode_batch({"a": 1, "b": 2}) == rows
    assert tok.encode_batch([]) == []


@pytest.mark.parametrize("text", ["one text", b"one text", bytearray(b"one text")])
@pytest.mark.parametrize("call", ["encode_batch", "encode_batch_to_numpy", "count_batch"])
def test_one_text_is_no_batch(call: str, text: object) -> None:
    with pytest.raises(TypeError, match="expected an iterable of texts, not one text"):
        getattr(trained("gpt2"), call)(text)


def test_what_is_no_text_is_a_type_error() -> None:
    for texts in ([1], ["a", None], [["a"]]):
        with pytest.raises(TypeError, match="expected text"):
            trained("gpt2").encode_batch(texts)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        trained("gpt2").encode_batch(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_are_at_least_one(threads: int) -> None:
    with pytest.raises(ValueError, match=f"threads `{threads}`: at least 1"):
        trained("gpt2").encode_batch(["a"], threads=threads)


@pytest.mark.parametrize("threads", [1, 4])
def test_an_error_names_the_text(threads: int) -> None:
    texts = ["fine"] * 500 + ["x <|a|>"] + ["fine"] * 500
    for call in (trained("gpt2").encode_batch, trained("gpt2").encode_batch_to_numpy):
        with pytest.raises(SpecialTokenError, match=r"`<\|a\|>` at byte 2") as error:
            call(texts, threads=threads, disallowed_special="all")
        assert error.value.__notes__ == ["in text 500 of the batch"]


# ------------------------------------------------------------------ dtypes


def test_the_narrower_dtype_that_holds_every_id() -> None:
    for highest, dtype in ((2**16 - 1, np.uint16), (2**16, np.uint32)):
        tok = Tokenizer.from_merges([], special_tokens={"<s>": highest})
        ragged = tok.encode_batch_to_numpy(["a<s>"], allowed_special="all")
        assert (ragged.ids.dtype, ragged.ids.tolist()) == (dtype, [97, highest])
        assert (ragged.offsets.dtype, ragged.offsets.tolist()) == (np.int64, [0, 2])


@pytest.mark.parametrize("dtype", ["uint16", np.uint16, np.dtype("u2"), "uint32", np.uint32])
def test_a_dtype_may_be_asked_for(dtype: object) -> None:
    ragged = trained("gpt2").encode_batch_to_numpy(TEXTS, dtype=dtype)  # type: ignore[arg-type]
    assert ragged.ids.dtype == np.dtype(dtype)  # type: ignore[call-overload]
    assert ragged.ids.ndim == ragged.offsets.ndim == 1
    assert ragged.ids.tolist() == [id for text in TEXTS for id in trained("gpt2").encode(text)]


def test_a_dtype_that_cannot_hold_them_is_refused() -> None:
    tok = Tokenizer.from_merges([], special_tokens={"<s>": 2**16})
    with pytest.raises(ValueError, match=r"`uint16` holds ids up to 65535.* up to 65536"):
        tok.encode_batch_to_numpy(["a"], dtype="uint16")
    for dtype in ("int32", "float32", "uint8", "int64"):
        with pytest.raises(ValueError, match=f"dtype `{dtype}`: ids are `uint16` or `uint32`"):
            tok.encode_batch_to_numpy(["a"], dtype=dtype)


def test_arrays_belong_to_the_caller() -> None:
    tok = trained("gpt2")
    first, second = tok.encode_to_numpy("the cat"), tok.encode_to_numpy("the cat")
    first[:] = 0
    assert second.tolist() == tok.encode("the cat")
    assert first.flags.writeable
    assert first.flags.c_contiguous


# ------------------------------------------------------------------ threads


def test_eight_threads_with_different_options() -> None:
    toks = [trained(name) for name in NAMES]
    text = "".join(CORPUS)

    def work(number: int) -> list[object]:
        tok = toks[number % len(toks)]
        allowed = "all" if number % 2 else ()
        results: list[object] = []
        for _ in range(5):
            ids = tok.encode(text, allowed_special=allowed)  # type: ignore[arg-type]
            results += [ids, tok.decode(ids), tok.encode_batch([text] * 3, threads=number % 3 + 1)]
            results += [tok.count(text), list(tok.encode_stream([text])), tok.offsets(text)]
            if number % 4 == 0:
                tok.clear_cache()
        return results

    alone = [work(number) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == alone


def test_one_tokenizer_in_eight_threads() -> None:
    tok = trained("o200k")
    expected = {text: tok.encode(text) for text in [*FRAGMENTS, *CORPUS]}
    tok.clear_cache()

    def work(_: int) -> bool:
        return all(tok.encode(text) == ids for text, ids in expected.items())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(64)))


def test_other_threads_run_while_a_long_text_is_encoded() -> None:
    tok = trained("gpt2")
    text = "".join(CORPUS) * 2_000
    done = threading.Event()

    def encode() -> None:
        tok.encode_batch_to_numpy([text], threads=1)
        done.set()

    ticks = 0
    thread = threading.Thread(target=encode)
    thread.start()
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    thread.join()
    assert ticks > 3


# ------------------------------------------------------------------ processes


@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
def test_workers_that_are_spawned(name: str) -> None:
    toks = [bytepair.load(name), trained("cl100k")]
    texts = [text for text in TEXTS if isinstance(text, str)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for tok in toks:
            assert pool.map(tok.encode, texts) == [tok.encode(text) for text in texts]


FORK = """
import os, sys, threading, warnings
warnings.simplefilter("ignore")  # that threads and fork do not go together is what is tested
import bytepair
tok = bytepair.load("gpt2")
texts = ["the cat sat on the mat %d" % n for n in range(2000)]
rows = tok.encode_batch(texts, threads=4)
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        same = tok.encode_batch(texts, threads=4) == rows and tok.encode(texts[7]) == rows[7]
        os._exit(0 if same else 1)
    children.append(child)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
assert tok.encode_batch(texts) == rows
print(codes)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_after_fork() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORK],
        env={**os.environ, "PYTHONPATH": str(Path(bytepair.__file__).parent.parent)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("[0, 0, 0]\n", "")
