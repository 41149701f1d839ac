"""`bytepair show`, on a terminal and elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty", reason="terminals are POSIX")

TEXT = "the cat 今"


def test_tokens_and_ids(run, tok, tokenizer):
    done = run("show", "-t", tok, TEXT)
    heading, tokens, ids = done.out.splitlines()
    number = tokenizer.count(TEXT)
    assert heading.startswith(f"{tok}  {number} tokens, {len(TEXT.encode())} bytes, ")
    assert tokens.replace(" ", "").startswith("│the│·cat│")
    assert tokens.endswith(r"│\xe4│\xbb│\x8a│")
    assert [*map(int, re.findall(r"\d+", ids))] == tokenizer.encode(TEXT)
    assert (done.code, done.err) == (0, "")


def test_without_ids(run, tok):
    _, tokens = run("show", "-t", tok, "--no-ids", "the cat").out.splitlines()
    assert tokens == "│the│·cat│"


@pytest.mark.parametrize("text", [[], ["-"]])
def test_standard_input(run, tok, text):
    assert "│the│⏎│" in run("show", "-t", tok, "--no-ids", *text, stdin="the\n").out


def test_several_tokenizers_one_below_the_other(run, tok):
    lines = run("show", "-t", tok, "-t", "gpt2", "the cat").out.splitlines()
    assert lines[0].startswith(str(tok))
    assert lines[3] == ""
    assert lines[4].startswith("gpt2")


def test_an_empty_text(run, tok):
    assert run("show", "-t", tok, "").out == f"{tok}  0 tokens, 0 bytes\n"


def test_special_tokens(run, tok):
    assert "│<|end|>│" in run("show", "-t", tok, "--allowed-special", "all", "<|end|>").out
    assert "│<|end|>│" not in run("show", "-t", tok, "<|end|>").out


def test_json(run, tok, tokenizer):
    done = run("show", "-t", tok, "--json", "--allowed-special", "all", "the 今<|end|>").json
    assert done["bytes"] == len("the 今<|end|>".encode())
    (result,) = done["results"]
    ids = tokenizer.encode("the 今<|end|>", allowed_special="all")
    assert result["tokenizer"] == str(tok)
    assert result["count"] == len(ids)
    assert [token["id"] for token in result["tokens"]] == ids
    assert [bytes.fromhex(token["hex"]) for token in result["tokens"]] == [
        tokenizer.token_bytes(id_) for id_ in ids
    ]
    assert result["tokens"][-1]["special"] is True
    assert result["tokens"][-2] == {"id": ids[-2], "text": r"\x8a", "hex": "8a", "special": False}


def test_html(run, tok, tmp_path):
    page = tmp_path / "page.html"
    done = run("show", "-t", tok, "-t", "gpt2", "--html", page, "the <b>")
    assert (done.code, done.out) == (0, "")
    assert str(page) in done.err
    html = page.read_text(encoding="utf-8")
    assert html.count("<h2>") == 2
    assert "<b>" not in html
    assert "&lt;" in html
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_bytes_that_are_no_utf8(run, tok):
    assert r"\xff" in run("show", "-t", tok, stdin=b"\xff").out
    assert r"\xff" in run("show", "-t", tok, "\udcff").out  # how an argument of such bytes arrives


def test_no_command_of_a_text_comes_through(run, tok):
    out = run("show", "-t", tok, "\x1b[31m\x07 \u202e").out
    assert r"\x1b" in out
    assert [c for c in out if not c.isprintable() and c != "\n"] == []


# ------------------------------------------------------------------ on a terminal


def on_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Runs the program with a terminal as its stdout and stderr."""
    deciding = {"NO_COLOR", "FORCE_COLOR", "COLORTERM"}
    inherited = {name: value for name, value in os.environ.items() if name not in deciding}
    master, slave = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "bytepair", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
        env={**inherited, "TERM": "xterm-256color", "COLUMNS": "80", **environment},
    )
    os.close(slave)
    output = b""
    try:
        while data := os.read(master, 1 << 16):
            output += data
    except OSError:  # Linux says so when the last writer has gone
        pass
    os.close(master)
    return done.wait(), output.decode()


def test_colour_on_a_terminal(tok):
    code, out = on_terminal("show", "-t", str(tok), "the cat")
    assert code == 0
    assert re.search(r"\x1b\[[0-9;]*48;5;\d+", out)
    assert "│" not in out


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_none_is_wanted(tok, environment):
    _, out = on_terminal("show", "-t", str(tok), "the cat", **environment)
    assert not re.search(r"\x1b\[[0-9;]*[34]8;", out)
    assert "│the│·cat│" in out.replace(" ", "")


def test_errors_are_coloured_on_a_terminal_alone(program):
    code, out = on_terminal("encode", "-t", "cl200k")
    assert code == 1
    assert "\x1b[1;31merror:\x1b[0m " in out
    assert "\x1b" not in program("encode", "-t", "cl200k").err
    assert "\x1b" not in on_terminal("encode", "-t", "cl200k", NO_COLOR="1")[1]
