"""Faults of growth: time that grows with a square, memory that never comes back.

Time is measured as a ratio, by the processor's clock and at its best of several runs: a text twice
as long may take up to three times as long. Memory is measured in a process of its own.
"""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable

import pytest
from child import HAS_PROC, run_child
from effort import EXHAUSTIVE, effort

import bytepair
from bytepair import Tokenizer

load = functools.cache(bytepair.load)


def seconds(work: Callable[[], object], runs: int = 3) -> float:
    best = float("inf")
    for _ in range(runs):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def growth(work: Callable[[int], object], n: int, *, times: int = 2) -> float:
    """How many times as long work on `times * n` takes as on `n`; measured anew before it is
    called too much, for another process may have had the cache."""
    ratios = []
    for _ in range(4):
        ratios.append(seconds(lambda: work(times * n)) / max(seconds(lambda: work(n)), 1e-4))
        if ratios[-1] < times * 1.5:
            break
    return min(ratios)


# ------------------------------------------------------------------ M01: one long run

RANDOM = random.Random(1)
RUNS: dict[str, Callable[[int], str]] = {
    "one letter": lambda n: "a" * n,
    "carets": lambda n: "^" * n,
    "underscores": lambda n: "_" * n,
    "blanks": lambda n: " " * n,
    "newlines": lambda n: "\n" * n,
    "one Chinese letter": lambda n: "好" * n,
    "one emoji": lambda n: "🌍" * n,
    "marks": lambda n: "e" + "\u0301" * n,
    "digits": lambda n: "7" * n,
    "apostrophes": lambda n: "'" * n,
    "two letters": lambda n: "ab" * (n // 2),
    "random letters": lambda n: "".join(RANDOM.choices("abcdefghijklmnopqrstuvwxyz", k=n)),
    "base64": lambda n: "".join(RANDOM.choices("ABCDEFGHIJKLMNOPabcdefgh0123456789+/", k=n)),
}
CALLS: dict[str, Callable[[Tokenizer, str], object]] = {
    "encode": lambda tok, text: tok.encode_to_numpy(text),
    "count": lambda tok, text: tok.count(text),
    "bytes": lambda tok, text: tok.encode_to_numpy(text.encode()),
    "offsets": lambda tok, text: tok.offsets(text, unit="byte"),
    "stream": lambda tok, text: sum(1 for _ in tok.encode_stream([text])),
    "decode": lambda tok, text: tok.decode(tok.encode_to_numpy(text)),
    "truncate": lambda tok, text: tok.truncate(text, len(text) // 10),
}


# None is no pattern: the whole text is one pretoken. By default o200k_base stands for the patterns.
TOKENIZERS = ["o200k_base", None, *(["gpt2", "cl100k_base", "qwen3", "kimi_k2"] * EXHAUSTIVE)]


@pytest.mark.parametrize("kind", RUNS)
@pytest.mark.parametrize("name", TOKENIZERS)
def test_M01_twice_the_length_takes_twice_the_time(name: str | None, kind: str) -> None:
    tok = no_pattern() if name is None else load(name)
    short = effort(50_000, 500_000)
    texts = {n: RUNS[kind](n) for n in (short, 2 * short)}
    assert growth(lambda n: tok.encode_to_numpy(texts[n]), short) < 3


@functools.cache
def no_pattern() -> Tokenizer:
    return Tokenizer.from_merges(load("gpt2").merges, pattern=None)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", ["carets", "random letters", "blanks"])
def test_M01_in_every_call(call: str, kind: str) -> None:
    tok, short = load("o200k_base"), effort(50_000, 500_000)
    texts = {n: RUNS[kind](n) for n in (short, 2 * short)}
    assert growth(lambda n: CALLS[call](tok, texts[n]), short) < 3


@pytest.mark.parametrize(
    "pattern", [r"\s+|\S+", r"\p{L}+|\s+(?!\S)|\s+", r"(?:a|b)+|.", r"(?<=a)b"]
)
@pytest.mark.parametrize("kind", ["one letter", "blanks", "two letters"])
def test_M01_with_patterns_of_ones_own(pattern: str, kind: str) -> None:
    tok, short = Tokenizer.from_merges([], pattern=pattern), effort(30_000, 300_000)
    texts = {n: RUNS[kind](n) for n in (short, 2 * short)}
    assert growth(lambda n: tok.encode_to_numpy(texts[n]), short) < 3


# ------------------------------------------------------------------ M03: services that run for long

FLAT = """
import random
random = random.Random(int(sys.argv[2]))
tok = bytepair.load("o200k_base")
letters = "abcdefghijklmnopqrstuvwxyzабвгдежз中文字"

def words(n):
    return " ".join("".join(random.choices(letters, k=random.randint(2, 14))) for _ in range(n))

def pieces(n):
    for _ in range(n):
        tok.encode_to_numpy("".join(random.choices(letters, k=10_000)))

def loads(n):
    for _ in range(n):
        bytepair.load("gpt2").encode("a text")

def work(n):
    if sys.argv[1] == "words":
        for _ in range(n // 1000):
            tok.encode_to_numpy(words(1000))
    else:
        globals()[sys.argv[1]](n)

n = int(sys.argv[3])
work(n // 5)  # everything has its size after this
before = resident()
work(n)
print(resident() - before)
"""


@pytest.mark.skipif(not HAS_PROC, reason="memory is read from /proc")
@pytest.mark.parametrize(
    ("what", "most", "usual"),
    [("words", 1_000_000, 100_000), ("pieces", 1_000, 200), ("loads", 200, 40)],
)
def test_M03_memory_stays_flat(what: str, most: int, usual: int) -> None:
    """By 4 MB: a million words of 10 bytes that were kept would take 50 MB or more, a thousand
    pieces 10 MB, and 200 vocabularies 800 MB."""
    assert float(run_child(FLAT, what, 3, effort(usual, most))) < 4


CLEARED = """
import threading
tok = bytepair.load("gpt2")
text = "the cat in the hat " * 20_000
tok.encode_to_numpy(text)
tok.clear_cache()
before = resident()
tok.encode_batch_to_numpy([text] * 64, threads=16)
filled = resident()
tok.clear_cache()
print(filled - before, resident() - before)
"""


@pytest.mark.skipif(not HAS_PROC, reason="memory is read from /proc")
def test_M03_clear_cache_gives_memory_back() -> None:
    """The C library is told to return what is freed, which by itself it may keep for later."""
    shown = run_child(CLEARED, MALLOC_MMAP_THRESHOLD_="65536", MALLOC_TRIM_THRESHOLD_="0")
    filled, cleared = map(float, shown.split())
    # Each thread that ran beside others left a cache of 2 MB.
    assert cleared < 4
    assert filled > cleared


# ------------------------------------------------------------------ M04: texts without blanks

PEAK = """
import random, resource, warnings
kind, size = sys.argv[1], int(sys.argv[2])
random = random.Random(4)
if kind == "no blanks":
    text = "".join(random.choices("的一是不了人我在有他这中大来上国", k=size // 3))
elif kind == "one line":
    words = ["".join(random.choices("abcdefghij", k=5)) for _ in range(3_000)]
    text = " ".join(random.choices(words, k=size // 6))
else:  # DNA
    text = "".join(random.choices("ACGT", k=size))
pattern = None if sys.argv[3] == "none" else sys.argv[3]
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
import time
started = time.process_time()
tok = bytepair.train([text], 400, pattern=pattern, threads=1)
spent = time.process_time() - started
assert len(tok) == 400
print(spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - base)
"""


@pytest.mark.parametrize("pattern", ["gpt2", "none"])
@pytest.mark.parametrize("kind", ["no blanks", "one line", "DNA"])
def test_M04_texts_without_blanks_and_without_lines(kind: str, pattern: str) -> None:
    """10 MB that are one pretoken, or one line: twice the text takes twice the time, and no more
    than 40 bytes of memory for each byte of the different pretokens."""
    megabytes = effort(2, 10)
    measured = []
    for size in (megabytes, 2 * megabytes):
        shown = run_child(PEAK, kind, size * 10**6, pattern)
        measured.append([float(number) for number in shown.split()])
    (first_time, _), (second_time, peak) = measured
    assert second_time < 3 * max(first_time, 0.2)
    assert peak < 40 * 2 * megabytes + 64


DISTINCT = """
import random
random = random.Random(4)
words = ["".join(random.choices("abcdefghij", k=8)) for _ in range(5_000)]

def texts(n):
    for _ in range(n):
        yield " ".join(random.choices(words, k=10_000))

bytepair.count_pretokens(texts(int(sys.argv[1]) // 4), threads=2)
before = resident()
bytepair.count_pretokens(texts(int(sys.argv[1])), threads=2)
print(resident() - before)
"""


@pytest.mark.skipif(not HAS_PROC, reason="memory is read from /proc")
def test_M04_memory_goes_by_the_different_pretokens() -> None:
    """Four times the text of the same words: no more memory, within what one block takes."""
    assert float(run_child(DISTINCT, effort(400, 4_000))) < 24
