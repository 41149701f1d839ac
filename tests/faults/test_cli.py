"""Faults of the command line: tokens that nobody can read, errors that do not say where."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from entry_points import command
from hard_texts import trained

import bytepair
from bytepair import FormatError

# ------------------------------------------------------------------ C01: tokens as people read them


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("gpt2", "東", "│\\xe6\\x9d│\\xb1│"),
        ("o200k_base", "今天西安", "│今天│西│安│"),
        ("o200k_base", "αβγ Ελληνικά", "│α│β│γ│·Ελλην│ικά│"),
        ("o200k_base", "தமிழ்", "│தமிழ│◌்│"),
        ("gpt2", "a b", "│a│·b│"),
        ("gpt2", "a  b\t", "│a│·│·b│→│"),
        ("gpt2", "x\n", "│x│⏎│"),
        ("gpt2", "\x1b[2J", "│\\x1b│[│2│J│"),
    ],
)
def test_C01_tokens_are_shown_as_text(name: str, text: str, shown: str) -> None:
    done = command("show", "-t", name, "--no-ids", stdin=text.encode())
    assert (done.code, done.err) == (0, "")
    line = "".join(done.out.decode().splitlines()[1:])
    assert line.replace(" ", "") == shown


@pytest.mark.parametrize("name", bytepair.names())
def test_C01_every_script_is_readable(name: str) -> None:
    """What a token does not hold whole is shown by its bytes, a mark alone on a circle, and nothing
    by other letters."""
    text = "今天 Ελληνικά አማርኛ தமிழ் 한국어 ไทย"
    shown = command("show", "-t", name, "--no-ids", text).out.decode().split("\n", 1)[1]
    rest = re.sub(r"\\x[0-9a-f]{2}", "", shown)
    assert {*rest} - {*text, *"│·◌\n "} == set()


def test_C01_the_byte_alphabet_is_for_files(tmp_path: Path) -> None:
    tok = trained("gpt2")
    tok.save(tmp_path / "tokenizer.json")
    vocab = json.loads((tmp_path / "tokenizer.json").read_text())["model"]["vocab"]
    assert "Ġ" in vocab
    assert tok.vocab[vocab["Ġ"]] == b" "


# ------------------------------------------------------------------ C03: errors that say where


def test_C03_a_bad_line_is_named_with_its_number_and_content(tmp_path: Path) -> None:
    trained("gpt2").save(tmp_path / "mine.tiktoken")
    path = tmp_path / "mine.tiktoken"
    lines = path.read_bytes().split(b"\n")
    for bad in (b"onepart", b"YQ== x", b"*** 6"):
        path.write_bytes(b"\n".join([*lines[:6], bad, *lines[7:]]))
        with pytest.raises(FormatError) as error:
            bytepair.load(path)
        assert "mine.tiktoken" in str(error.value)
        assert "line 7" in str(error.value)
        assert f"`{bad.decode()}`" in str(error.value)
        done = command("encode", "-t", path, stdin=b"a")
        assert done.code == 1
        assert "line 7" in done.err


def test_C03_a_bad_merge_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    trained("gpt2").save(path)
    content = json.loads(path.read_text())
    for bad in ("onepart", "a b c"):
        content["model"]["merges"][6] = bad
        written = json.dumps(content, indent=1, ensure_ascii=False)
        path.write_text(written)
        line = written[: written.index(f'"{bad}"')].count("\n") + 1
        with pytest.raises(FormatError, match=f"line {line}: column") as error:
            bytepair.load(path)
        assert str(path) in str(error.value)
        assert bad in str(error.value)


def test_C03_a_bad_line_of_merges_txt_is_named(tmp_path: Path) -> None:
    trained("gpt2").save(tmp_path / "tokenizer.json")
    model = json.loads((tmp_path / "tokenizer.json").read_text())["model"]
    (tmp_path / "vocab.json").write_text(json.dumps(model["vocab"]), encoding="utf-8")
    lines = ["#version: 0.2", *(" ".join(m) if isinstance(m, list) else m for m in model["merges"])]
    (tmp_path / "tokenizer.json").unlink()
    for bad in ("onepart", "a b c", "zz qq"):
        lines[6] = bad
        (tmp_path / "merges.txt").write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(FormatError, match=r"merges\.txt.*line 7") as error:
            bytepair.load(tmp_path)
        assert bad.split()[0] in str(error.value)


def test_C03_what_was_understood_is_said_before_the_work(tmp_path: Path) -> None:
    corpus, out = tmp_path / "corpus.txt", tmp_path / "out.json"
    corpus.write_text("ab ab <s>ab")
    options = ["--vocab-size", "258", "--special-token", "'<s>'"]  # the quotes slipped in
    done = command("train", corpus, "-o", out, *options)
    assert done.code == 0
    assert "`'<s>'`" in done.err
    assert done.err.index("`'<s>'`") < done.err.index("learned")
    assert [*bytepair.load(out).special_tokens] == ["'<s>'"]
