"""Threads, forks, processes and copies: one tokenizer in all of them, and the same ids.

By default with as much work as a minute allows; BYTEPAIR_EXHAUSTIVE=1 takes all of it.
"""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from child import HAS_PROC, run_child
from effort import effort
from hard_texts import CORPUS, FRAGMENTS, normalizing, trained

import bytepair
from bytepair import SpecialTokenError, Tokenizer

CAN_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
TEXTS = [*CORPUS, *FRAGMENTS, "x <|a|> y <|a|>>", "e\u0301" * 9, ""]
SOUP = "".join(FRAGMENTS)


def custom() -> Tokenizer:
    """Stages, normalization, gaps, special tokens, and tokens that no merge makes."""
    base = trained("gpt2")
    vocab = base.vocab | {700: b"unmade"}
    return Tokenizer.from_merges(
        base.merges,
        vocab={id: token for id, token in vocab.items() if id not in base.special_tokens.values()},
        pattern=(r"\s+", "gpt2", r"\p{N}{1,3}"),
        special_tokens={"<s>": 900, "é<": 901},
        normalization="nfc",
        ignore_merges=True,
    )


def with_added(folder: Path) -> Tokenizer:
    """From a file with added tokens that are not special."""
    import json

    trained("gpt2").save(folder / "tokenizer.json")
    content: dict[str, Any] = json.loads((folder / "tokenizer.json").read_text())
    flags = {"special": False, "normalized": False}
    content["added_tokens"] += [
        {"id": 800, "content": "  ", **flags},
        {"id": 801, "content": "<L>", "lstrip": True, **flags},
    ]
    (folder / "tokenizer.json").write_text(json.dumps(content))
    return bytepair.load(folder / "tokenizer.json")


@pytest.fixture(params=["bundled", "trained", "normalizing", "custom", "added", "truncated"])
def tok(request: pytest.FixtureRequest, tmp_path: Path) -> Tokenizer:
    made: dict[str, Callable[[], Tokenizer]] = {
        "bundled": lambda: bytepair.load("cl100k_base"),
        "trained": lambda: trained("o200k"),
        "normalizing": normalizing,
        "custom": custom,
        "added": lambda: with_added(tmp_path),
        "truncated": lambda: bytepair.load("gpt2").truncated(2_000),
    }
    return made[request.param]()


def answers(tok: Tokenizer) -> list[object]:
    """What a tokenizer says in every kind of call."""
    rows = [tok.encode(text, allowed_special="all") for text in TEXTS]
    stream = tok.stream()
    return [
        rows,
        tok.encode_batch(TEXTS, threads=2),
        tok.encode_batch_to_numpy(TEXTS, threads=2).ids.tolist(),
        tok.count_batch(TEXTS, threads=2).tolist(),
        [tok.offsets(text) for text in TEXTS],
        [tok.truncate(text, 5) for text in TEXTS],
        list(tok.encode_stream(TEXTS)),
        tok.decode_batch(rows),
        [*map(stream.push, rows[0]), stream.finish()],
        tok.fingerprint,
    ]


# ------------------------------------------------------------------ threads


def test_eight_threads_with_eight_kinds_of_call(tok: Tokenizer) -> None:
    """A thousand calls in each thread, with options of its own and the cache cleared among them."""
    text = SOUP[:200] + "<|a|> the cat"
    calls: list[Callable[[], object]] = [
        lambda: tok.encode(text),
        lambda: tok.encode(text, allowed_special="all"),
        lambda: tok.encode_to_numpy(text.encode()).tolist(),
        lambda: tok.count(text),
        lambda: tok.offsets(text, unit="byte"),
        lambda: tok.decode(tok.encode(text)),
        lambda: list(tok.encode_stream([text[:50], text[50:]])),
        lambda: (tok.clear_cache(), tok.truncate(text, 9))[1],
    ]
    expected = [call() for call in calls]

    def work(number: int) -> int:
        return sum(calls[number]() == expected[number] for _ in range(1_000))

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(work, range(8))] == [1_000] * 8


def test_encoding_goes_on_while_another_thread_trains() -> None:
    tok = trained("cl100k")
    expected = answers(tok)
    texts = [f"{SOUP} {number} word{number % 977} " for number in range(effort(1_500, 20_000))]
    alone = bytepair.train(texts, 2_000, threads=1)
    with ThreadPoolExecutor(3) as pool:
        training = [pool.submit(bytepair.train, texts, 2_000, threads=n) for n in (1, 2)]
        rounds = 0
        while not all(job.done() for job in training) or rounds == 0:
            assert answers(tok) == expected
            rounds += 1
        assert [job.result() for job in training] == [alone, alone]


@pytest.mark.parametrize("threads", [1, 2, 8, 64])
def test_an_error_in_a_batch_is_that_of_the_text_and_names_it(threads: int) -> None:
    """Always the first of several, whichever thread comes first; and nothing is left behind."""
    tok = trained("gpt2")
    texts = ["fine " * (number % 50) for number in range(2_000)]
    texts[1_234] = texts[1_900] = "x <|a|>"
    with pytest.raises(SpecialTokenError) as alone:
        tok.encode(texts[1_234], disallowed_special="all")
    calls: list[Callable[..., object]] = [tok.encode_batch, tok.encode_batch_to_numpy]
    for _ in range(effort(5)):
        for call in calls:
            with pytest.raises(SpecialTokenError) as error:
                call(texts, threads=threads, disallowed_special="all")
            assert str(error.value) == str(alone.value)
            assert error.value.__notes__ == ["in text 1234 of the batch"]
    assert tok.encode_batch(texts, threads=threads) == [tok.encode(text) for text in texts]


def test_streams_of_one_tokenizer_are_apart() -> None:
    tok = trained("o200k")
    ids = [tok.encode(text) for text in CORPUS]

    def work(number: int) -> bool:
        row = ids[number % len(ids)]
        stream = tok.stream()
        joined = "".join([*map(stream.push, row), stream.finish()])
        text = CORPUS[number % len(CORPUS)]
        return joined == tok.decode(row) and list(tok.encode_stream(iter(text))) == row

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(effort(64))))


# ------------------------------------------------------------------ fork

# NumPy is loaded before: what its libraries do when a child of many threads loads them is not ours.
FORK_AMONG_THREADS = """
import os, threading, warnings
import numpy
warnings.simplefilter("ignore", DeprecationWarning)  # Python's own, of threads and fork
tok = bytepair.load("gpt2")
texts = ["the cat sat on the mat %d" % n for n in range(2_000)]
rows = tok.encode_batch(texts, threads=4)
busy = True

def encode():
    while busy:
        assert tok.encode_batch(texts[:400], threads=3) == rows[:400]

others = [threading.Thread(target=encode) for _ in range(4)]
for thread in others:
    thread.start()
codes = []
for _ in range(int(sys.argv[1])):
    child = os.fork()
    if child == 0:
        same = tok.encode_batch(texts, threads=4) == rows and tok.encode(texts[7]) == rows[7]
        tok.clear_cache()
        same = same and tok.count_batch(texts, threads=2).tolist() == [len(row) for row in rows]
        learned = bytepair.train(texts, 300, threads=2)
        os._exit(0 if same and len(learned) == 300 else 1)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
busy = False
for thread in others:
    thread.join()
print(set(codes))
"""


@CAN_FORK
def test_a_fork_while_other_threads_encode() -> None:
    assert run_child(FORK_AMONG_THREADS, effort(10, 200), timeout=effort(120, 2_400)) == "{0}\n"


FORK_IN_A_FORK = """
import os
tok = bytepair.load("gpt2")
texts = ["the cat sat on the mat %d" % n for n in range(2_000)]
rows = tok.encode_batch(texts, threads=4)

def generations(left):
    if tok.encode_batch(texts, threads=4) != rows:
        return 1
    if left == 0:
        return 0
    child = os.fork()
    if child == 0:
        os._exit(generations(left - 1))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

print(generations(4))
"""


@CAN_FORK
def test_forks_of_forks_say_no_word_and_wait_for_nobody() -> None:
    assert run_child(FORK_IN_A_FORK, timeout=60) == "0\n"


@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_pools_of_processes(method: str) -> None:
    toks = [bytepair.load("gpt2"), trained("cl100k"), custom()]
    expected = [[tok.encode(text) for text in CORPUS] for tok in toks]
    for tok in toks:
        tok.encode_batch(CORPUS, threads=4)
    with multiprocessing.get_context(method).Pool(2) as pool:
        for tok, rows in zip(toks, expected, strict=True):
            jobs = [pool.apply_async(tok.encode_batch, (CORPUS,)) for _ in range(4)]
            assert [job.get(timeout=120) for job in jobs] == [rows] * 4
            assert pool.map_async(tok.encode, CORPUS).get(timeout=120) == rows


# ------------------------------------------------------------------ copies

WAYS: dict[str, Callable[[Any], Any]] = {
    **{f"pickle {n}": lambda tok, n=n: pickle.loads(pickle.dumps(tok, n)) for n in (2, 5)},
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("way", WAYS)
def test_copies_answer_alike(tok: Tokenizer, way: str) -> None:
    again = WAYS[way](tok)
    assert (again, hash(again), again.name) == (tok, hash(tok), tok.name)
    assert answers(again) == answers(tok)
    assert (again.added_tokens, again.special_tokens) == (tok.added_tokens, tok.special_tokens)
    assert (again.merges, again.vocab, again.pattern) == (tok.merges, tok.vocab, tok.pattern)
    assert WAYS[way]({"tok": [tok, tok]})["tok"][0] == tok


@pytest.mark.parametrize("name", bytepair.names())
def test_a_bundled_tokenizer_travels_as_its_name(name: str) -> None:
    payload = pickle.dumps(bytepair.load(name))
    assert len(payload) < 100
    assert pickle.loads(payload).name == name


def test_what_else_can_be_copied() -> None:
    ragged = trained("gpt2").encode_batch_to_numpy(CORPUS)
    counts = bytepair.count_pretokens(CORPUS, special_tokens=["<|a|>"])
    for way in WAYS.values():
        again = way(ragged)
        assert isinstance(again, bytepair.Ragged)
        assert np.array_equal(again.ids, ragged.ids)
        assert np.array_equal(again.offsets, ragged.offsets)
        assert (way(counts), way(counts).items()) == (counts, counts.items())
    error = SpecialTokenError("message", hint="advice")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("way", WAYS)
def test_a_stream_is_used_where_it_was_made(way: str) -> None:
    """It stands in the middle of a text: a second one would tear what it holds."""
    with pytest.raises(TypeError, match="DecodeStream"):
        WAYS[way](trained("gpt2").stream())


# ------------------------------------------------------------------ interruption


INTERRUPTED = """
import os, signal, threading, time
# A job in the background is started with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
texts = ["the cat %d in the hat%d sat " % (n, n) * 20 for n in range(int(sys.argv[1]))]
tok = bytepair.load("gpt2")
rows = tok.encode_batch(texts[:100])
ended = 0
for work in (
    lambda: bytepair.train(texts, 5_000),
    lambda: bytepair.train(texts, 5_000, progress=lambda *_: None),
    lambda: tok.encode_batch(texts),
    lambda: list(tok.encode_stream(texts)),
):
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        work()
        time.sleep(60)
    except KeyboardInterrupt:
        ended += 1
same = tok.encode_batch(texts[:100]) == rows
print(ended, same, len(bytepair.train(texts[:50], 300)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as POSIX has them")
def test_control_c_ends_long_work_and_breaks_nothing() -> None:
    """At once, or where the work does not look for signals at its end; and all goes on after it."""
    assert run_child(INTERRUPTED, effort(5_000, 50_000), timeout=230) == "4 True 300\n"


# ------------------------------------------------------------------ memory

THREADS_FLAT = """
import random, threading
tok = bytepair.load("gpt2")
random = random.Random(5)
letters = "abcdefghijklmnopqrstuvwxyz"

def texts(n):
    return [" ".join("".join(random.choices(letters, k=9)) for _ in range(200)) for _ in range(n)]

def work(rounds):
    for _ in range(rounds):
        tok.encode_batch_to_numpy(texts(40), threads=8)
        threads = [threading.Thread(target=tok.encode_batch, args=(texts(4),)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

rounds = int(sys.argv[1])
work(max(rounds // 4, 12))
before = resident()
work(rounds)
print(resident() - before)
"""


@pytest.mark.skipif(not HAS_PROC, reason="memory is read from /proc")
def test_memory_stays_flat_with_many_threads() -> None:
    """Threads come and go; the caches they used stay with the tokenizer, for the next ones: at most
    one for each that ran at once, 2 MB each. With one for each thread that ever ran it would be
    32 MB for every round of this."""
    # Two caches more, if more threads met than in the rounds before; and the C library's own.
    assert float(run_child(THREADS_FLAT, effort(16, 400))) < 16
