"""Faults of threads, processes and installations. `test_concurrency.py` has more of them."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from child import run_child
from effort import effort
from hard_texts import CORPUS, normalizing, trained

import bytepair
from bytepair import Tokenizer, UnknownNameError

TEXTS = [*CORPUS, "x <|a|> y", "e\u0301" * 9, ""]


def test_X01_options_are_of_the_call_and_never_of_the_tokenizer() -> None:
    tok = trained("gpt2")
    options = [
        {},
        {"allowed_special": "all"},
        {"allowed_special": {"<|a|>"}},
        {"allowed_special": {"<|a|>>"}, "disallowed_special": ["é<"]},
    ]
    text = "the <|a|> cat <|a|>> sat " * 3
    expected = [tok.encode(text, **chosen) for chosen in options]

    def work(number: int) -> int:
        chosen = options[number % 4]
        return sum(tok.encode(text, **chosen) == expected[number % 4] for _ in range(1_000))

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(work, range(8))] == [1_000] * 8


FORK = """
import os
tok = bytepair.load("gpt2")
texts = ["the cat sat on the mat %d" % n for n in range(2_000)]
rows = tok.encode_batch(texts, threads=4)
child = os.fork()
if child == 0:
    os._exit(0 if tok.encode_batch(texts, threads=4) == rows else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_X02_a_batch_before_a_fork_and_one_after_it() -> None:
    assert run_child(FORK, timeout=60) == "0\n"


@pytest.mark.parametrize("name", ["bundled", "trained", "custom", "normalizing"])
def test_X03_a_tokenizer_can_be_sent(name: str) -> None:
    tok = {
        "bundled": lambda: bytepair.load("o200k_base"),
        "trained": lambda: trained("o200k"),
        "custom": lambda: Tokenizer.from_merges(
            [(b"a", b"b")], pattern=(r"\s+", r"\d"), special_tokens={"<s>": 999, "é": 1000}
        ),
        "normalizing": normalizing,
    }[name]()
    payload = pickle.dumps(tok)
    again = pickle.loads(payload)
    assert again == tok
    assert again.special_tokens == tok.special_tokens
    assert again.encode_batch(TEXTS) == tok.encode_batch(TEXTS)
    assert len(payload) < (200 if name == "bundled" else 20_000)


LOAD = """
import socket, sys, time

def refuse(event, arguments):
    if event.startswith("socket.") or event in ("urllib.Request", "http.client.connect"):
        raise RuntimeError(event)

sys.addaudithook(refuse)
print(bytepair.load("cl100k_base").encode("no network"), bytepair.load("gpt-4o").name)
started = time.monotonic()
for name in ("nobody/has-this-model", "absent.json", "meta-llama/Llama-3.1-8B"):
    try:
        bytepair.load(name)
    except bytepair.BytepairError as error:
        print(type(error).__name__, "|", str(error).replace("\\n", " "))
print(time.monotonic() - started < 1)
"""


def test_X06_names_need_no_network_and_their_errors_say_what_to_do() -> None:
    lines = run_child(LOAD, timeout=60, HF_HUB_OFFLINE="1").splitlines()
    assert lines[0] == "[2201, 4009] o200k_base"
    assert "nobody/has-this-model" in lines[1]
    assert lines[2] == "FormatError | `absent.json`: there is no such file or folder"
    assert "tokenizer.json" in lines[3]
    assert lines[4] == "True"


def load_and_encode(name: str) -> list[int]:
    return bytepair.load(name).encode("eight at once: 今天天气")


@pytest.mark.parametrize("name", ["o200k_base", "deepseek_v3"])
def test_X06_eight_processes_load_at_once(name: str) -> None:
    with multiprocessing.get_context("spawn").Pool(8) as pool:
        rows = pool.map(load_and_encode, [name] * effort(8, 32), chunksize=1)
    assert rows == [load_and_encode(name)] * len(rows)


def test_X06_a_file_is_replaced_whole_by_eight_writers(tmp_path: Path) -> None:
    """Whoever reads while others write sees one whole file or another."""
    path = tmp_path / "tokenizer.json"
    toks = [trained(name) for name in ("gpt2", "o200k")]
    toks[0].save(path)

    def write(number: int) -> None:
        for _ in range(10):
            toks[number % 2].save(path)

    with ThreadPoolExecutor(8) as pool:
        done = [pool.submit(write, number) for number in range(8)]
        while not all(job.done() for job in done):
            assert bytepair.load(path) in toks
        assert [job.result() for job in done] == [None] * 8
    assert [entry.name for entry in tmp_path.iterdir()] == ["tokenizer.json"]


def test_X06_an_unknown_name_is_told_at_once() -> None:
    with pytest.raises(UnknownNameError, match="unknown tokenizer `cl200k`"):
        bytepair.load("cl200k")
    done = subprocess.run(
        [sys.executable, "-m", "bytepair", "encode", "-t", "cl200k"],
        input=b"",
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(bytepair.__file__).parent.parent)},
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"cl100k_base" in done.stderr
