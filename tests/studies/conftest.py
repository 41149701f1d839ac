"""Each study is run once for all of its tests."""

from __future__ import annotations

import lzma
from functools import cache

import pytest
from outside_judges import shared_file

from bytepair import studies


@pytest.fixture(scope="session")
def study():
    """`study("letters")`: what it gives with its own subjects."""
    return cache(studies.run)


@pytest.fixture
def corpus(shared):
    """`corpus("chinese")`: a large text of the shared folder, whole."""

    def read(name: str) -> str:
        path = shared_file(shared, f"corpora/{name}.txt.xz")
        return lzma.decompress(path.read_bytes()).decode("utf-8", "replace")

    return read
