"""`bytepair encode`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bytepair.cli import encode

TEXT = "the cat sat on the mat: 今天 🌍\n"


def test_a_file(run, tok, tokenizer, tmp_path):
    (tmp_path / "text").write_text(TEXT, encoding="utf-8")
    done = run("encode", "-t", tok, tmp_path / "text")
    assert done.code == 0
    assert done.err == ""
    assert done.out.endswith("\n")
    assert [*map(int, done.out.split())] == tokenizer.encode(TEXT)
    assert done.out.count("\n") == 1


@pytest.mark.parametrize("name", [[], ["-"]])
def test_standard_input(run, tok, tokenizer, name):
    done = run("encode", "-t", tok, *name, stdin=TEXT)
    assert [*map(int, done.out.split())] == tokenizer.encode(TEXT)


def test_json(run, tok, tokenizer):
    assert run("encode", "-t", tok, "--json", stdin=TEXT).json == tokenizer.encode(TEXT)


@pytest.mark.parametrize(("options", "expected"), [([], "\n"), (["--json"], "[]\n")])
def test_an_empty_text(run, tok, options, expected):
    assert run("encode", "-t", tok, *options).out == expected


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_batches_leave_no_trace(run, tok, tokenizer, options, monkeypatch):
    monkeypatch.setattr(encode, "BATCH", 3)
    out = run("encode", "-t", tok, *options, stdin=TEXT * 5).out
    numbers = json.loads(out) if options else [*map(int, out.removesuffix("\n").split(" "))]
    assert numbers == tokenizer.encode(TEXT * 5)


def test_bytes_that_are_no_utf8(run, tok, tokenizer):
    data = b"the \xff\xfe cat\xe6\x9d"
    done = run("encode", "-t", tok, stdin=data)
    assert [*map(int, done.out.split())] == tokenizer.encode(data)


@pytest.mark.parametrize("allowed", ["<|end|>", "all"])
def test_special_tokens_are_text_unless_allowed(run, tok, tokenizer, allowed):
    text = "cat<|end|>mat"
    plain = run("encode", "-t", tok, "--json", stdin=text).json
    special = run("encode", "-t", tok, "--json", "--allowed-special", allowed, stdin=text).json
    assert plain == tokenizer.encode(text)
    assert special == tokenizer.encode(text, allowed_special="all")
    assert tokenizer.special_tokens["<|end|>"] in special
    assert plain != special


def test_a_special_token_that_there_is_not(run, tok):
    done = run("encode", "-t", tok, "--allowed-special", "<|start|>", stdin=TEXT)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert "`<|start|>`" in done.err


def test_numpy(run, tok, tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr(encode, "BATCH", 7)
    out = tmp_path / "ids.npy"
    done = run("encode", "-t", tok, "--numpy", out, stdin=TEXT * 3)
    ids = np.load(out)
    assert ids.dtype == np.uint32
    assert ids.tolist() == tokenizer.encode(TEXT * 3)
    assert done.out == ""
    assert str(len(ids)) in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["ids.npy"]


def test_numpy_of_nothing(run, tok, tmp_path):
    run("encode", "-t", tok, "--numpy", tmp_path / "ids.npy")
    assert np.load(tmp_path / "ids.npy").shape == (0,)


def test_numpy_with_json_says_what_was_written(run, tok, tokenizer, tmp_path):
    out = tmp_path / "ids.npy"
    done = run("encode", "-t", tok, "--numpy", out, "--json", stdin=TEXT)
    expected = {"file": str(out), "tokens": tokenizer.count(TEXT), "dtype": "uint32"}
    assert done.json == expected


def test_a_failure_leaves_the_old_array(run, tok, tmp_path):
    out = tmp_path / "ids.npy"
    out.write_bytes(b"old")
    done = run("encode", "-t", tok, "--numpy", out, "--allowed-special", "none", stdin=TEXT)
    assert done.code == 1
    assert out.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["ids.npy"]


@pytest.mark.parametrize("name", ["", "missing/ids.npy"])
def test_an_array_that_cannot_be_written(run, tok, tmp_path, name):
    done = run("encode", "-t", tok, "--numpy", tmp_path / name, stdin=TEXT)
    assert done.code == 1
    assert done.err.startswith(f"error: cannot write `{tmp_path / name}`")


def test_a_link_stays_a_link(run, tok, tmp_path):
    link, target = tmp_path / "link.npy", tmp_path / "target.npy"
    target.write_bytes(b"")
    link.symlink_to(target)
    run("encode", "-t", tok, "--numpy", link, stdin=TEXT)
    assert link.is_symlink()
    assert np.load(target).size > 0


def test_the_default_tokenizer(run):
    done = run("encode", stdin="今天西安的天气怎么样？")
    assert done.out == "47256 13781 7837 1616 167823 34633 4802\n"
