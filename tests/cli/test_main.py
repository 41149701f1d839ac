"""What all commands share: help, wrong usage, errors, exit codes, pipes, locales."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import bytepair
from bytepair.cli import main, parser, words

COMMANDS = ["train", "encode", "decode", "count", "show", "list"]
BASE = [sys.executable, "-m", "bytepair"]


# ------------------------------------------------------------------ help and usage


def test_help_lists_every_command(run):
    done = run("--help")
    assert (done.code, done.err) == (0, "")
    assert [c for c in COMMANDS if f"\n    {c} " not in done.out] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command(run, command):
    done = run(command, "--help")
    assert done.code == 0
    assert done.out.startswith(f"usage: bytepair {command} ")
    assert "--json" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_help_loads_nothing_heavy():
    script = (
        "import sys; from bytepair.cli import main; main(['--help']); "
        "print([m for m in ('numpy', 'rich', 'bytepair._core') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_encoding_loads_neither_numpy_nor_rich(tok):
    script = (
        f"import sys; from bytepair.cli import main; main(['encode', '-t', {str(tok)!r}]); "
        "print([m for m in ('numpy', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input="x", capture_output=True, check=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_version(run):
    assert run("--version").out == f"bytepair {bytepair.__version__}\n"


def test_no_command(run):
    done = run()
    assert (done.code, done.out) == (2, "")
    assert "usage: bytepair" in done.err


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (["enc"], "unknown command `enc`", "did you mean `encode`?"),
        (["frobnicate"], "unknown command `frobnicate`", "`bytepair --help` lists the commands"),
        (["encode", "--jsn"], "unknown option `--jsn`", "did you mean `--json`?"),
        (["count", "--limits=3"], "unknown option `--limits`", "did you mean `--limit`?"),
        (["show", "-x"], "unknown option `-x`", "`--` stands before a text that begins"),
        (
            ["show", "two", "words"],
            "unexpected argument `words`",
            "a text with blanks stands in quotes",
        ),
        (["encode", "-t"], "expected one argument", "`bytepair encode --help`"),
        (["decode", "--errors", "x"], "invalid choice: 'x'", "`bytepair decode --help`"),
        (["encode", "--js"], "unknown option `--js`", "did you mean `--json`?"),
        (["\x1b[31m"], r"unknown command `\x1b[31m`", "`bytepair --help`"),
    ],
)
def test_wrong_usage(run, arguments, error, hint):
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    first, second = done.err.splitlines()
    assert first.startswith("error: ")
    assert error in first
    assert second.startswith("hint: ")
    assert hint in second


def test_a_text_that_begins_with_a_hyphen(run, tok):
    assert run("show", "-t", tok, "--", "--x").out.startswith(f"{tok}  3 tokens")


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize("command", ["encode", "decode", "count", "show"])
def test_an_unknown_tokenizer(run, command):
    done = run(command, "-t", "cl200k")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: unknown tokenizer `cl200k`\nhint: ")
    assert "`cl100k_base`" in done.err


@pytest.mark.parametrize("command", ["encode", "decode", "count"])
def test_files_that_cannot_be_read(run, tok, command, tmp_path):
    missing = run(command, "-t", tok, tmp_path / "missing")
    assert missing.code == 1
    assert f"error: cannot read `{tmp_path / 'missing'}`: no such file" in missing.err
    folder = run(command, "-t", tok, tmp_path)
    assert folder.code == 1
    assert f"error: cannot read `{tmp_path}`: is a directory" in folder.err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all files")
def test_a_file_without_permission(run, tok, tmp_path):
    (tmp_path / "locked").touch(0o000)
    done = run("encode", "-t", tok, tmp_path / "locked")
    assert done.code == 1
    assert "permission denied" in done.err


def test_debug_shows_the_traceback(run):
    for arguments in (["--debug", "encode", "-t", "nope"], ["encode", "--debug", "-t", "nope"]):
        done = run(*arguments)
        assert done.code == 1
        assert "Traceback" in done.err
        assert "error: unknown tokenizer `nope`" in done.err
    assert "Traceback" not in run("encode", "-t", "nope").err


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (
            OSError(28, "No space left on device"),
            "error: cannot read or write: no space left on device",
        ),
        (FileNotFoundError(2, "No such file", "x\x1b"), r"error: `x\x1b`: no such file"),
        (MemoryError(), "error: out of memory"),
        (ValueError("no\nhint: so"), "error: no\nhint: so"),
        (KeyError("x"), "error: unexpected KeyError: 'x'\nhint: this is a fault of bytepair"),
    ],
)
def test_any_failure_is_told_in_words(run, monkeypatch, failure, said):
    def fail(_: object) -> int:
        raise failure

    monkeypatch.setattr(parser.encode, "run", fail)
    done = run("encode")
    assert done.code == 1
    assert done.err.startswith(said)
    assert "Traceback" not in done.err


def test_stopped_by_hand(run, monkeypatch):
    def stop(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(parser.encode, "run", stop)
    done = run("encode")
    assert (done.code, done.err) == (130, "stopped\n")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_ctrl_c(tok):
    # A test run in the background may itself ignore the signal, and its children with it.
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        f"from bytepair.cli import main; sys.exit(main(['encode', '-t', {str(tok)!r}]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(b"the cat " * 50_000)  # more than a pipe holds: it is being read
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"stopped\n")


def test_the_main_function_takes_the_arguments_of_the_process(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["bytepair", "--version"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("bytepair ")


# ------------------------------------------------------------------ pipes and locales


def test_the_script_is_installed():
    script = Path(sysconfig.get_path("scripts"), "bytepair")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("bytepair ")


@pytest.mark.parametrize("command", ["encode", "decode", "show"])
def test_a_pipe_that_closes_early_is_no_error(command, tok, tmp_path):
    # Far more than a pipe holds, so that the program still writes when its reader has gone.
    text = tmp_path / "text"
    text.write_text("97 98 99 100\n" * 100_000)
    with text.open("rb") as stdin:
        process = subprocess.Popen(
            [*BASE, command, "-t", tok], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout.read(1)
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
    assert (process.wait(), err) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_an_error(tok):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*BASE, "encode", "-t", tok],
            input=b"the cat",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == b"error: cannot read or write: no space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="a shell closes them")
@pytest.mark.parametrize(("closing", "name"), [(">&-", "output"), ("<&-", "input")])
def test_closed_streams(tok, closing, name):
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closing}', "sh", *BASE, "encode", "-t", tok],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"error: standard {name} is closed\n"


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=str,
)
def test_output_is_utf8_whatever_the_locale(program, tok, environment):
    assert "│今│" in program("show", "-t", "o200k_base", "--no-ids", stdin="今", **environment).out
    assert program("decode", "-t", tok, stdin="228 187 138", **environment).out == "今"


def test_words_without_a_terminal_have_no_colour(capsys):
    words.error("wrong", "do it right")
    words.warning("careful")
    assert capsys.readouterr().err == "error: wrong\nhint: do it right\nwarning: careful\n"
