"""`bytepair list`."""

from __future__ import annotations

import bytepair


def test_a_line_for_each(run):
    done = run("list")
    assert (done.code, done.err) == (0, "")
    lines = {line.split()[0]: line for line in done.out.splitlines() if line.strip()}
    assert set(bytepair.names()) <= lines.keys()
    for name in bytepair.names():
        recipe = bytepair.info(name)
        assert f" {recipe.tokens:,} " in lines[name]
        assert f" {recipe.vocab_size:,} " in lines[name]
        assert recipe.licence in lines[name]
        assert recipe.models[0] in lines[name]


def test_a_pipe_gets_whole_lines_without_colour(program):
    out = program("list", COLUMNS="40").out
    assert "\x1b" not in out
    assert "gpt-4o, gpt-4o-*, chatgpt-4o-* and" in out


def test_json(run):
    listed = run("list", "--json").json
    assert [entry["name"] for entry in listed] == bytepair.names()
    for entry in listed:
        recipe = bytepair.info(entry["name"])
        assert entry["models"] == list(recipe.models)
        assert entry["published_vocab_size"] == recipe.published_vocab_size
        assert entry["licence"] == recipe.licence


def test_the_sizes_are_those_of_the_tokenizers(run):
    for entry in run("list", "--json").json:
        tokenizer = bytepair.load(entry["name"])
        assert (entry["tokens"], entry["vocab_size"]) == (len(tokenizer), tokenizer.vocab_size)
