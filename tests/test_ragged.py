"""Ids of many texts in one array, and as Arrow sees them."""

from __future__ import annotations

import ctypes
import gc
import pickle
import sys
import threading
from pathlib import Path

import nanoarrow
import numpy as np
import pytest
from hard_texts import CORPUS, trained

from bytepair import Ragged

TEXTS = [*CORPUS, "", "hi", ""]


@pytest.fixture(scope="module")
def ragged() -> Ragged:
    return trained("gpt2").encode_batch_to_numpy(TEXTS)


def rows(ragged: Ragged) -> list[list[int]]:
    bounds = zip(ragged.offsets, ragged.offsets[1:], strict=False)
    return [ragged.ids[start:end].tolist() for start, end in bounds]


def test_it_is_a_pair(ragged: Ragged) -> None:
    ids, offsets = ragged
    assert ids is ragged.ids
    assert offsets is ragged.offsets
    assert offsets.dtype == np.int64
    assert offsets.shape == (len(TEXTS) + 1,)
    assert rows(ragged) == trained("gpt2").encode_batch(TEXTS)


def test_it_can_be_pickled(ragged: Ragged) -> None:
    again = pickle.loads(pickle.dumps(ragged))
    assert isinstance(again, Ragged)
    assert rows(again) == rows(ragged)


@pytest.mark.parametrize("dtype", ["uint16", "uint32"])
def test_arrow_gets_lists_of_its_ids(dtype: str) -> None:
    ragged = trained("gpt2").encode_batch_to_numpy(TEXTS, dtype=dtype)
    array = nanoarrow.Array(ragged)
    assert (
        str(array.schema) == str(nanoarrow.Schema(ragged)) == f"<Schema> large_list<item: {dtype}>"
    )
    assert array.to_pylist() == rows(ragged)


def test_arrow_copies_nothing(ragged: Ragged) -> None:
    view = nanoarrow.c_array(ragged).view()
    assert buffer_address(view.buffer(1)) == ragged.offsets.ctypes.data
    assert buffer_address(view.child(0).buffer(1)) == ragged.ids.ctypes.data


def buffer_address(buffer: object) -> int:
    return np.frombuffer(buffer, np.uint8).ctypes.data  # type: ignore[call-overload]


def test_a_requested_schema_may_be_ignored(ragged: Ragged) -> None:
    schema, array = ragged.__arrow_c_array__(nanoarrow.Schema(ragged).__arrow_c_schema__())
    assert capsule_name(schema) == b"arrow_schema"
    assert capsule_name(array) == b"arrow_array"
    assert capsule_name(ragged.__arrow_c_schema__()) == b"arrow_schema"


def capsule_name(capsule: object) -> bytes:
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return name(capsule)


@pytest.mark.parametrize("texts", [[], [""], ["", ""]])
def test_nothing_is_an_array_too(texts: list[str]) -> None:
    ragged = trained("gpt2").encode_batch_to_numpy(texts)
    assert ragged.offsets.tolist() == [0] * (len(texts) + 1)
    assert nanoarrow.Array(ragged).to_pylist() == [[] for _ in texts]


def test_a_part_of_the_rows() -> None:
    ragged = trained("gpt2").encode_batch_to_numpy(TEXTS)
    part = Ragged(ragged.ids, ragged.offsets[1:4])
    assert nanoarrow.Array(part).to_pylist() == rows(ragged)[1:3]


def test_the_memory_lives_as_long_as_arrow_needs_it() -> None:
    ids = np.arange(1000, dtype=np.uint16)
    before = sys.getrefcount(ids)
    array = nanoarrow.c_array(Ragged(ids, np.array([0, 400, 1000])))
    assert sys.getrefcount(ids) > before
    again = nanoarrow.Array(array)
    del array
    gc.collect()
    assert again.to_pylist() == [list(range(400)), list(range(400, 1000))]
    del again
    gc.collect()
    assert sys.getrefcount(ids) == before


def test_a_capsule_that_nobody_takes_lets_go() -> None:
    ids, offsets = np.arange(10, dtype=np.uint32), np.array([0, 10])
    before = sys.getrefcount(ids), sys.getrefcount(offsets)
    capsules = Ragged(ids, offsets).__arrow_c_array__()
    assert (sys.getrefcount(ids), sys.getrefcount(offsets)) == (before[0] + 1, before[1] + 1)
    del capsules
    assert (sys.getrefcount(ids), sys.getrefcount(offsets)) == before


def test_another_thread_may_let_go() -> None:
    ids = np.arange(10, dtype=np.uint32)
    before = sys.getrefcount(ids)
    held = [nanoarrow.c_array(Ragged(ids, np.array([0, 10])))]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert sys.getrefcount(ids) == before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("consumed", [True, False])
def test_exports_leak_nothing(consumed: bool) -> None:
    def export(times: int) -> None:
        for _ in range(times):
            ragged = Ragged(np.ones(50_000, np.uint32), np.arange(50_001))
            if consumed:
                nanoarrow.c_array(ragged)
            else:
                ragged.__arrow_c_array__()

    export(100)
    gc.collect()
    before = resident_bytes()
    export(2_000)
    gc.collect()
    # One export alone holds 600 kB.
    assert resident_bytes() - before < 20 * 2**20


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


IDS = np.arange(4, dtype=np.uint16)
OFFSETS = np.array([0, 2, 4])


@pytest.mark.parametrize(
    ("ids", "offsets", "kind", "named"),
    [
        ([1, 2], OFFSETS, TypeError, "ids are a NumPy array of `uint16` or `uint32`"),
        (IDS.astype(np.int64), OFFSETS, TypeError, "ids are a NumPy array of `uint16` or `uint32`"),
        (IDS.reshape(2, 2), OFFSETS, TypeError, "ids are a NumPy array"),
        (IDS, [0, 4], TypeError, "offsets are a NumPy array of `int64`"),
        (IDS, OFFSETS.astype(np.int32), TypeError, "offsets are a NumPy array of `int64`"),
        (np.arange(8, dtype=np.uint16)[::2], OFFSETS, ValueError, "ids do not lie side by side"),
        (IDS, np.array([0, 9, 4, 9])[::2], ValueError, "offsets do not lie side by side"),
        (IDS, np.array([], np.int64), ValueError, "at least one number"),
        (IDS, np.array([0, 5]), ValueError, "between 0 and 4, the number of ids"),
        (IDS, np.array([-1, 4]), ValueError, "between 0 and 4, the number of ids"),
        (IDS, np.array([0, 3, 2, 4]), ValueError, "ascend"),
        (
            np.frombuffer(b"\0" * 9, np.uint8)[1:].view(np.uint16),
            OFFSETS,
            ValueError,
            "aligned in memory",
        ),
    ],
)
def test_what_arrow_could_not_trust_is_refused(
    ids: object, offsets: object, kind: type[Exception], named: str
) -> None:
    with pytest.raises(kind, match=named):
        Ragged(ids, offsets).__arrow_c_array__()  # type: ignore[arg-type]
