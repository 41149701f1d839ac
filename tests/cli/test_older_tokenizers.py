"""The older tokenizers, wherever a command takes a tokenizer."""

from __future__ import annotations

import pytest

TEXT = "the cat 今天\n"


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(TEXT * 20, encoding="utf-8")
    return path


def test_counts(run, corpus):
    names = [
        "byte",
        "char",
        f"char:{corpus}",
        f"word:{corpus}",
        f"dict:{corpus}",
        f"hybrid:{corpus}",
    ]
    corpus.write_text("the\ncat\n今天\n", encoding="utf-8")
    names += ["stride:4", "space", f"entropy:{corpus}"]
    options = [part for name in names for part in ("-t", name)]
    tokens = run("count", *options, "--json", stdin=TEXT).json["total"]["tokens"]
    assert list(tokens) == names
    assert tokens["byte"] == 15 and tokens["char"] == 11 and tokens[f"word:{corpus}"] == 3
    assert tokens["stride:4"] == 4 and tokens["space"] == 4


@pytest.mark.parametrize("name", ["byte", "char", "char:{corpus}"])
def test_there_and_back(run, corpus, name):
    name = name.format(corpus=corpus)
    ids = run("encode", "-t", name, stdin=TEXT)
    assert ids.code == 0
    assert run("decode", "-t", name, stdin=ids.out).out == TEXT


def test_unknown_tokens_are_seen(run, corpus):
    done = run("show", "-t", f"word:{corpus}", "the dog")
    assert "│the│<UNK>│" in done.out


@pytest.mark.parametrize("name", ["space", "stride:4"])
def test_patches_are_shown_without_numbers(run, tmp_path, name):
    text = "a fantasy epic " + "x" * 9_000
    done = run("show", "-t", name, text)
    assert done.code == 0 and "│a·fa" in done.out.replace("│a·│fa", "│a·fa")
    shown = run("show", "-t", name, text, "--json").json["results"][0]["tokens"]
    assert {token["id"] for token in shown} == {None}
    page = tmp_path / "page.html"
    assert run("show", "-t", name, text, "--html", page).code == 0


@pytest.mark.parametrize("arguments", [["encode"], ["encode", "--numpy", "x.npy"], ["decode"]])
def test_patches_have_no_ids_to_write(run, arguments):
    done = run(*arguments, "-t", "space", stdin="1 2 3")
    assert done.code == 1 and done.out == ""
    assert "the patches of `space` have no ids" in done.err and "bytepair show" in done.err


def test_saved_files(run, tmp_path):
    from bytepair.classic import WordTokenizer

    WordTokenizer.build([TEXT]).save(tmp_path / "words.json")
    assert run("count", "-t", tmp_path / "words.json", stdin=TEXT).out.split() == ["3", "15", "-"]


def test_special_tokens_that_they_do_not_have(run):
    done = run("encode", "-t", "byte", "--allowed-special", "<|x|>", stdin="a")
    assert done.code == 1 and "`byte` has no special tokens" in done.err
    assert run("encode", "-t", "byte", "--allowed-special", "all", stdin="a").out == "97\n"


@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
def test_blanks_between_words_wherever_the_ids_are_cut(run, corpus, tmp_path, monkeypatch, chunk):
    """They are put between the words of the whole, not of each chunk."""
    from bytepair.classic import CharBPETokenizer
    from bytepair.cli import streams

    codes = tmp_path / "codes.txt"
    CharBPETokenizer.train([TEXT], 8).save(codes)
    ids = run("encode", "-t", f"charbpe:{codes}", stdin="the cat\n the mat").out
    words = run("encode", "-t", f"word:{corpus}", stdin="the 今天 cat").out
    monkeypatch.setattr(streams, "CHUNK", chunk)
    assert run("decode", "-t", f"charbpe:{codes}", stdin=ids).out == "the cat the <UNK>at"
    assert run("decode", "-t", f"word:{corpus}", stdin=words).out == "the 今天 cat"
    done = run("decode", "-t", f"word:{corpus}", stdin=f"{words} 99")
    assert done.code == 1 and "item 4 of stdin" in done.err


def test_bytes_that_are_no_utf8_there_and_back(run):
    data = TEXT.encode() + b"\xff\x00"
    ids = run("encode", "-t", "byte", stdin=data)
    assert run("decode", "-t", "byte", stdin=ids.data).data == data


@pytest.mark.parametrize("name", ["byte:3", "char:/no/such", "dict-best:x", "word:"])
def test_names_that_are_none(run, name):
    done = run("count", "-t", name, stdin=TEXT)
    assert done.code == 1 and done.out == "" and done.err.startswith("error: ")
