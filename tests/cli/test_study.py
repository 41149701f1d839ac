"""`bytepair study`."""

from __future__ import annotations

import sys

import pytest

from bytepair import studies


def test_without_a_name_they_are_listed(run):
    done = run("study")
    assert (done.code, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()] == list(studies.names())
    assert run("study", "--json").json == {n: studies.question(n) for n in studies.names()}


def test_one(run):
    done = run("study", "letters")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Why do models miscount the letters of a word?\n")
    assert "│st│raw│berry│" in done.out and "→ `strawberry` has 3 `r`." in done.out


def test_json_of_one_is_an_object(run):
    assert run("study", "case", "--json").json == studies.run("case").as_json()


def test_other_tokenizers(run, tok):
    done = run("study", "letters", "-t", "byte", "-t", tok)
    assert done.code == 0
    assert "│s│t│r│a│w│b│e│r│r│y│" in done.out and str(tok) in done.out


def test_another_text(run, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("aaaaaaaaab", encoding="utf-8")
    row = run("study", "coverage", "--text", file, "--json").json["tables"][0]["rows"][0]
    assert row[:3] == ["the given text", 10, 2]


@pytest.mark.parametrize(
    "arguments, message, hint",
    [
        (["leters"], "unknown study `leters`", "did you mean `letters`?"),
        (["letters", "--text", "x.txt"], "the study `letters` has its own subjects", "`--text`"),
        (["merge-order", "-t", "gpt2"], "the study `merge-order` has its own", "`--tokenizer`"),
        (["coverage", "--plot", "x.gif"], "`x.gif`: plots end in `.svg`, `.png`, `.pdf`", ""),
        (["coverage", "--text", "no-such.txt"], "no-such.txt", ""),
        (["letters", "-t", "cl200k"], "unknown tokenizer `cl200k`", "did you mean"),
    ],
)
def test_what_is_refused(run, arguments, message, hint):
    done = run("study", *arguments)
    assert done.code == 1 and done.out == ""
    assert message in done.err and hint in done.err


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_plots(run, tmp_path, suffix):
    out = tmp_path / f"plot.{suffix}"
    done = run("study", "coverage", "--plot", out)
    assert done.code == 0 and f"wrote {out}" in done.err
    assert out.stat().st_size > 2_000
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_a_page(run, tmp_path):
    out = tmp_path / "page.html"
    done = run("study", "coverage", "--html", out)
    assert (done.code, done.out) == (0, "") and f"wrote {out}" in done.err
    page = out.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "<svg" in page and "<script" not in page
    assert "Chinese" in page


def test_a_page_without_matplotlib_has_no_plots_and_says_so(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    out = tmp_path / "page.html"
    done = run("study", "coverage", "--html", out)
    assert done.code == 0 and "matplotlib" in done.err
    assert "<svg" not in out.read_text(encoding="utf-8")


def test_all_of_them(run, tmp_path, monkeypatch):
    monkeypatch.setattr(studies, "_NAMES", ("letters", "coverage"))
    found = run("study", "all", "-t", "byte", "--json").json
    assert [study["study"] for study in found] == ["letters", "coverage"]
    assert found[0]["tables"][0]["rows"][0][0] == "byte"
    out = tmp_path / "all.html"
    assert run("study", "all", "--html", out).code == 0
    assert out.read_text(encoding="utf-8").count("?</h2>") == 2


def test_a_tokenizer_that_loses_text_is_named(run, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("strawberry", encoding="utf-8")
    done = run("study", "letters", "-t", f"char:{corpus}", "-t", "byte")
    assert done.code == 0 and "loses what is not in its table" in done.err
    assert done.err.count("warning") == 1 and "one for each letter." in done.out


def test_no_merges_and_no_candidates_can_be_plotted(run, tmp_path):
    assert run("study", "glitch", "-t", "byte", "--plot", tmp_path / "x.svg").code == 0


@pytest.mark.parametrize("name", ["pretokenize", "merge-order", "naive-vs-incremental", "specials"])
def test_an_empty_text_is_refused(run, tmp_path, name):
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"")
    done = run("study", name, "--text", empty)
    assert done.code == 1 and "the text" in done.err and done.out == ""
