"""`bytepair train`."""

from __future__ import annotations

import json

import pytest

import bytepair

TEXT = "the cat in the hat sat on the mat, while another animal ran around the garden wall\n" * 9


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def train(run, corpus, *options, size=270, **keywords):
    out = corpus.parent / "out.json"
    done = run("train", corpus, "-o", out, "--vocab-size", size, *options, **keywords)
    return done, bytepair.load(out) if done.code == 0 else None


def test_trains_and_saves(run, corpus):
    done, tokenizer = train(run, corpus)
    assert (done.code, done.out) == (0, "")
    assert len(tokenizer) == 270
    assert tokenizer.merges == bytepair.train([TEXT], 270).merges


def test_what_was_understood_and_what_came_out_go_to_stderr(run, corpus):
    done, _ = train(run, corpus, "--special-token", "'<|end|>'", "--special-token", "a b")
    assert "270 = 256 bytes + 2 special tokens + 12 merges" in done.err
    assert "`'<|end|>'`, `a b`" in done.err  # the quotes are the token's: so it is seen
    assert "`gpt2`" in done.err
    assert f"{len(TEXT):,} bytes" in done.err or f"{len(TEXT)} bytes" in done.err
    assert "12 merges" in done.err
    assert str(corpus.parent / "out.json") in done.err


def test_json(run, corpus):
    done, tokenizer = train(run, corpus, "--json", "--special-token", "<|end|>")
    facts = done.json
    counts = bytepair.count_pretokens([TEXT])
    assert facts.pop("seconds") >= 0
    assert facts == {
        "file": str(corpus.parent / "out.json"),
        "tokens": 270,
        "merges": 13,
        "special_tokens": {"<|end|>": tokenizer.special_tokens["<|end|>"]},
        "bytes": len(TEXT),
        "pretokens": counts.total,
        "unique_pretokens": len(counts),
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--pattern", "cl100k"], {"pattern": "cl100k"}),
        (["--pattern", r"[a-z]+|[^a-z]"], {"pattern": r"[a-z]+|[^a-z]"}),
        (
            ["--pattern", r"[a-z]+|[^a-z]", "--pattern", "[a-s]+|."],
            {"pattern": (r"[a-z]+|[^a-z]", "[a-s]+|.")},
        ),
        (["--pattern", "none"], {"pattern": None}),
        (["--ties", "ids"], {"ties": "ids"}),
        (["--ties", "first"], {"ties": "first"}),
        (["--ties", "huggingface"], {"ties": "huggingface"}),
        (["--max-token-length", "2"], {"max_token_length": 2}),
        (["--special-token", "<|end|>"], {"special_tokens": ["<|end|>"]}),
        (
            ["--special-token", "cat", "--special-token", "hat", "--special-first"],
            {"special_tokens": ["cat", "hat"], "special_first": True},
        ),
        (["--threads", "2"], {}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_each_option_reaches_the_training(run, corpus, options, expected):
    done, tokenizer = train(run, corpus, *options)
    assert done.code == 0, done.err
    assert tokenizer == bytepair.train([TEXT], 270, **expected)


def test_a_min_count_ends_it_with_a_warning(run, corpus):
    done, tokenizer = train(run, corpus, "--min-count", "9", size=5000)
    assert done.code == 0
    assert len(tokenizer) < 400
    assert f"warning: training ended at {len(tokenizer)} tokens, 5000 were asked for" in done.err
    assert "Warning" not in done.err


def test_several_files(run, corpus):
    other = corpus.with_name("other.txt")
    other.write_text("zebra zebra zebra zebra zebra", encoding="utf-8")
    done, tokenizer = train(run, corpus, other)  # a file after the options
    assert "corpus.txt, " in done.err
    assert tokenizer.merges == bytepair.train([TEXT, other.read_text()], 270).merges


def test_standard_input(run, corpus):
    out = corpus.parent / "out.json"
    done = run("train", "-", "-o", out, "--vocab-size", 270, stdin=TEXT)
    assert done.code == 0
    assert bytepair.load(out).merges == bytepair.train([TEXT], 270).merges


def test_json_lines_and_their_field(run, tmp_path):
    lines = tmp_path / "corpus.jsonl"
    lines.write_text("".join(json.dumps({"body": t}) + "\n" for t in TEXT.splitlines()))
    expected = bytepair.train(TEXT.splitlines(), 270)
    done, tokenizer = train(run, lines, "--field", "body")
    assert done.code == 0, done.err
    assert tokenizer == expected
    renamed = lines.rename(tmp_path / "corpus.txt")
    assert train(run, renamed, "--format", "jsonl", "--field", "body")[1] == expected
    done, _ = train(run, renamed, "--format", "jsonl")
    assert done.code == 1
    assert "line 1 has no field `text`" in done.err


def test_a_separator_parts_the_texts(run, tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("aa|aa|aa|aa", encoding="utf-8")
    _, tokenizer = train(run, path, "--separator", "|", "--pattern", "none", size=257)
    assert tokenizer.merges == [(b"a", b"a")]


def test_bytes_that_are_no_utf8(run, tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_bytes(b"abc abc \xff abc")
    done, _ = train(run, path, size=258)
    assert done.code == 0
    done, _ = train(run, path, "--errors", "strict", size=258)
    assert done.code == 1
    assert str(path) in done.err
    assert "8" in done.err  # the offset


def test_tiktoken_format(run, corpus):
    out = corpus.parent / "out.tiktoken"
    done = run("train", corpus, "-o", out, "--vocab-size", 270)
    assert done.code == 0
    assert bytepair.load(out).encode(TEXT) == bytepair.train([TEXT], 270).encode(TEXT)


@pytest.mark.parametrize("name", ["out", "out.txt", "out.model"])
def test_a_suffix_that_is_none_fails_before_the_training(run, corpus, name):
    done = run("train", corpus.parent / "missing", "-o", corpus.parent / name, "--vocab-size", 270)
    assert done.code == 1
    assert "the suffix" in done.err
    assert "hint: end it in `.json`" in done.err


def test_a_folder_that_is_none_fails_before_the_training(run, corpus):
    done = run("train", corpus, "-o", corpus.parent / "no" / "out.json", "--vocab-size", 270)
    assert done.code == 1
    assert "there is no folder" in done.err
    assert "hint: `mkdir -p" in done.err


def test_an_output_that_is_a_folder(run, corpus):
    (corpus.parent / "folder.json").mkdir()
    done = run("train", corpus, "-o", corpus.parent / "folder.json", "--vocab-size", 270)
    assert done.code == 1
    assert "it is a folder" in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--pattern", "gpt5"], "`gpt5`"),
        (["--pattern", "("], "("),
        (["--pattern", "none", "--pattern", "gpt2"], "no cuts at all"),
        (["--special-token", ""], "special"),
        (["--special-token", "a", "--special-token", "a"], "`a`"),
        (["--separator", ""], "separator"),
    ],
)
def test_options_that_make_no_sense(run, corpus, options, said):
    done, _ = train(run, corpus, *options)
    assert done.code == 1
    assert done.err.splitlines()[-1].startswith(("error: ", "hint: "))
    assert said in done.err
    assert "Traceback" not in done.err
    assert not (corpus.parent / "out.json").exists()


def test_a_size_below_the_bytes(run, corpus):
    done, _ = train(run, corpus, size=100)
    assert done.code == 1
    assert "error: vocab_size `100` is too small\nhint: " in done.err


@pytest.mark.parametrize("name", ["missing.txt", ""])
def test_a_file_that_cannot_be_read(run, corpus, name):
    path = corpus.parent / name
    done = run("train", path, "-o", corpus.parent / "out.json", "--vocab-size", 270)
    assert done.code == 1
    assert f"error: `{path}`: " in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["x", "--vocab-size", "270"],
        ["x", "-o", "out.json"],
        ["-o", "out.json", "--vocab-size", "270"],
        ["x", "-o", "out.json", "--vocab-size", "many"],
        ["x", "-o", "out.json", "--vocab-size", "270", "--ties", "coin"],
        ["x", "-o", "out.json", "--vocab-size", "270", "--min-count", "0"],
    ],
)
def test_wrong_usage(run, arguments):
    done = run("train", *arguments)
    assert done.code == 2
    assert done.err.startswith("error: ")
