"""`bytepair count`."""

from __future__ import annotations

import os

import pytest

from bytepair.cli import count

TEXT = "the cat sat on the mat: 今天 🌍\n"


@pytest.fixture
def files(tmp_path):
    """Three files; the third is empty."""
    paths = [tmp_path / name for name in ("a.txt", "b b.txt", "empty")]
    for path, text in zip(paths, (TEXT, TEXT * 100, ""), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_one_file_is_one_line(run, tok, tokenizer, files):
    done = run("count", "-t", tok, files[0])
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{tokenizer.count(TEXT)} {len(TEXT.encode())} {files[0]}\n"


def test_several_files_have_a_total_and_columns(run, tok, tokenizer, files):
    lines = run("count", "-t", tok, *files).out.splitlines()
    small, large = tokenizer.count(TEXT), tokenizer.count(TEXT * 100)
    size = len(TEXT.encode())
    assert [line.split(maxsplit=2) for line in lines] == [
        [str(small), str(size), str(files[0])],
        [str(large), str(100 * size), str(files[1])],
        ["0", "0", str(files[2])],
        [str(small + large), str(101 * size), "total"],
    ]
    assert len({line.index(line.split(maxsplit=2)[2]) for line in lines}) == 1


@pytest.mark.parametrize("name", [[], ["-"]])
def test_standard_input(run, tok, tokenizer, name):
    done = run("count", "-t", tok, *name, stdin=TEXT)
    assert done.out == f"{tokenizer.count(TEXT)} {len(TEXT.encode())} -\n"


def test_several_tokenizers_have_a_column_each(run, tok, tokenizer, files):
    lines = run("count", "-t", tok, "-t", "gpt2", files[0]).out.splitlines()
    assert lines[0].split() == [str(tok), "gpt2", "bytes"]
    assert lines[1].split()[0] == str(tokenizer.count(TEXT))
    assert lines[1].split()[2:] == [str(len(TEXT.encode())), str(files[0])]


def test_a_tokenizer_given_twice_is_one(run, tok, files):
    once = run("count", "-t", tok, files[0])
    assert run("count", "-t", tok, "-t", tok, files[0]).out == once.out


def test_a_large_file_is_counted_as_a_stream(run, tok, files, monkeypatch):
    whole = run("count", "-t", tok, *files)
    monkeypatch.setattr(count, "WHOLE", 16)
    assert run("count", "-t", tok, *files).out == whole.out


def test_a_pipe_is_read_once_for_all_tokenizers(program, tok, tokenizer):
    text = TEXT * 3000
    done = program("count", "-t", tok, "-t", "gpt2", "--json", stdin=text)
    (only,) = done.json["files"]
    assert only["tokens"][str(tok)] == tokenizer.count(text)
    assert only["tokens"]["gpt2"] > 0
    assert only["bytes"] == len(text.encode())


def test_json(run, tok, tokenizer, files):
    done = run("count", "-t", tok, "--json", *files[:2])
    small, large = tokenizer.count(TEXT), tokenizer.count(TEXT * 100)
    size = len(TEXT.encode())
    assert done.json == {
        "files": [
            {"file": str(files[0]), "bytes": size, "tokens": {str(tok): small}},
            {"file": str(files[1]), "bytes": 100 * size, "tokens": {str(tok): large}},
        ],
        "total": {"bytes": 101 * size, "tokens": {str(tok): small + large}},
    }


def test_special_text_is_text_unless_allowed(run, tok):
    text = "<|end|>"
    assert int(run("count", "-t", tok, stdin=text).out.split()[0]) > 1
    done = run("count", "-t", tok, "--allowed-special", "all", stdin=text)
    assert done.out.split()[0] == "1"


def test_the_limit(run, tok, tokenizer, files):
    limit = tokenizer.count(TEXT)
    within = run("count", "-t", tok, "--limit", limit, files[0])
    assert (within.code, within.err) == (0, "")
    over = run("count", "-t", tok, "--limit", limit, *files)
    assert over.code == 3
    assert over.err.count("\n") == 1
    assert f"`{files[1]}` has more than {limit} tokens" in over.err
    assert over.out == run("count", "-t", tok, *files).out


def test_the_limit_in_json(run, tok, files):
    done = run("count", "-t", tok, "--limit", 50, "--json", *files)
    assert done.code == 3
    assert [file["over_limit"] for file in done.json["files"]] == [False, True, False]


def test_a_file_that_cannot_be_read_does_not_stop_the_others(run, tok, files, tmp_path):
    done = run("count", "-t", tok, "--limit", 1, tmp_path / "none", tmp_path, files[0])
    assert done.code == 1  # an error weighs more than a finding
    assert (
        f"error: cannot read `{tmp_path / 'none'}`: no such file or directory\nhint: " in done.err
    )
    assert f"error: cannot read `{tmp_path}`: is a directory\n" in done.err
    assert str(files[0]) in done.out


def test_nothing_could_be_read(run, tok, tmp_path):
    done = run("count", "-t", tok, tmp_path / "none")
    assert (done.code, done.out) == (1, "")


@pytest.mark.skipif(os.name != "posix", reason="names of bytes are POSIX")
def test_a_name_that_is_no_utf8_or_has_commands(program, tok, tmp_path):
    names = [os.fsencode(tmp_path) + b"/stray\xff.txt", os.fsencode(tmp_path) + b"/\x1b[31m"]
    for name in names:
        with open(name, "wb") as file:
            file.write(b"the cat")
    done = program("count", "-t", tok, *map(os.fsdecode, names))
    assert r"/stray\xff.txt" in done.out
    assert r"/\x1b[31m" in done.out
    listed = program("count", "-t", tok, "--json", *map(os.fsdecode, names)).json["files"]
    assert [os.fsencode(file["file"]) for file in listed] == names


@pytest.mark.parametrize("limit", ["-1", "x", "1.5"])
def test_a_limit_that_is_none(run, limit):
    done = run("count", f"--limit={limit}")
    assert done.code == 2
    assert f"`{limit}`" in done.err
