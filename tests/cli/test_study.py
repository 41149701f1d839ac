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
    assert "\x1b" not in done.out
    assert "│st│raw│berry│" in done.out and "→ `strawberry` has 3 `r`." in done.out


def test_a_terminal_is_not_needed_nor_matplotlib(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("study", "coverage")
    assert (done.code, done.err) == (0, "") and "→ " in done.out


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


def test_a_text_from_a_pipe(run):
    tables = run("study", "coverage", "--text", "-", "--json", stdin="aab").json["tables"]
    assert tables[0]["rows"][0][:3] == ["the given text", 3, 2]


@pytest.mark.parametrize("name", studies.names())
def test_what_a_study_does_not_take_is_refused_before_it_runs(run, name, monkeypatch):
    monkeypatch.setattr(studies, "run", None)
    for option, key in (("--tokenizer", "tokenizers"), ("--text", "text")):
        if key not in studies.options(name):
            done = run("study", name, option, "byte")
            assert (done.code, done.out) == (1, "")
            assert f"the study `{name}` has its own subjects" in done.err and option in done.err


@pytest.mark.parametrize(
    "arguments, message, hint",
    [
        (["xyzzy"], "unknown study `xyzzy`", "hint: `bytepair study` lists them all"),
        (["xyzzy", "--json"], "unknown study `xyzzy`", "lists them all"),
        (["coverage", "--plot", "x"], "`x`: plots end in `.svg`, `.png`, `.pdf`", "the suffix"),
        (["coverage", "--plot", "no-such/x.svg"], "cannot write `no-such/x.svg`", ""),
        (["coverage", "--html", "no-such/x.html"], "cannot write `no-such/x.html`", ""),
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


def test_a_wrong_suffix_is_refused_before_anything_runs(run, tmp_path, monkeypatch):
    monkeypatch.setattr(studies, "run", None)
    done = run("study", "all", "--plot", tmp_path / "plot.jpg")
    assert (done.code, done.out) == (1, "") and "plots end in" in done.err
    assert not any(tmp_path.iterdir())


BEGINS = {"svg": b"<?xml", "SVG": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", BEGINS)
def test_plots(run, tmp_path, suffix):
    out = tmp_path / f"plot.{suffix}"
    done = run("study", "coverage", "--plot", out)
    assert done.code == 0 and f"wrote {out}" in done.err
    assert out.read_bytes().startswith(BEGINS[suffix]) and out.stat().st_size > 2_000
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_a_plot_without_matplotlib_is_an_error_that_names_the_extra(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    out = tmp_path / "plot.svg"
    out.write_text("the old one", encoding="utf-8")
    done = run("study", "coverage", "--plot", out)
    assert (done.code, done.out) == (1, "")
    assert "error: plots are drawn by matplotlib, which is not installed\n" in done.err
    assert "hint: pip install 'bytepair[plot]'" in done.err and "Traceback" not in done.err
    assert out.read_text(encoding="utf-8") == "the old one"


def test_json_page_and_plot_of_one_run(run, tmp_path):
    page, plot = tmp_path / "page.html", tmp_path / "plot.svg"
    done = run("study", "coverage", "--json", "--html", page, "--plot", plot)
    assert done.code == 0 and done.json == studies.run("coverage").as_json()
    assert page.exists() and plot.exists() and done.err.count("wrote ") == 2


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
