"""What can be trained on: texts, and files of several kinds; wrong ones are named."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from effort import effort
from hard_texts import CORPUS, DATA, NAMES, SPECIAL_TOKENS, TEXTS
from hypothesis import given, settings
from hypothesis import strategies as st

import bytepair
from bytepair import FormatError, Tokenizer, TrainingWarning, count_pretokens, files


def train(source: Any, vocab_size: int, **options: Any) -> Tokenizer:
    """Without the warning that it ended early."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)
        return bytepair.train(source, vocab_size, **options)


@pytest.mark.parametrize("source", ["text", b"text", bytearray(b"text"), Path("corpus.txt")])
@pytest.mark.parametrize("call", [lambda s: bytepair.train(s, 300), count_pretokens])
def test_a_source_is_never_guessed(source: Any, call: Any) -> None:
    with pytest.raises(TypeError, match="a source is files or an iterable of texts") as error:
        call(source)
    assert "bytepair.files(path) for a file, [text] for a text" in str(error.value)


@pytest.mark.parametrize("source", [7, None, [1], ["a", None], [["a"]]])
def test_what_is_no_source_is_a_type_error(source: Any) -> None:
    with pytest.raises(TypeError):
        bytepair.train(source, 300)


def test_texts_may_be_any_iterable() -> None:
    expected = count_pretokens(["ab", "cd"])
    assert count_pretokens(iter(["ab", b"cd"])) == expected
    assert count_pretokens(text for text in ("ab", "cd")) == expected
    assert count_pretokens({"ab": 1, "cd": 2}) == expected
    assert count_pretokens([bytearray(b"ab"), memoryview(b"cd")]) == expected
    assert count_pretokens(["\ud83c\udf0d\ud83c"], None).items() == [("🌍\ufffd".encode(), 1)]


@settings(max_examples=effort(50))
@given(text=st.one_of(TEXTS, DATA), threads=st.sampled_from([1, 2, 4]))
def test_a_file_is_one_text(
    tmp_path_factory: pytest.TempPathFactory, text: str | bytes, threads: int
) -> None:
    data = text.encode() if isinstance(text, str) else text
    path = tmp_path_factory.getbasetemp() / "text.txt"
    path.write_bytes(data)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return
    for pattern in ("cl100k", None):
        counts = count_pretokens(files(path), pattern, SPECIAL_TOKENS, threads=threads)
        assert counts.items() == count_pretokens([data], pattern, SPECIAL_TOKENS).items()


@pytest.mark.parametrize("name", [*NAMES, None])
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_large_files_are_cut_without_a_trace(
    tmp_path: Path, name: str | None, threads: int
) -> None:
    text = "".join(CORPUS) * 40 + "a" * 9_000 + " " * 3_000 + "中" * 9_000 + "\xff\n" * 300
    path = tmp_path / "large.txt"
    path.write_bytes(text.encode() + b"\xf0\x9f\x8c" * 50)
    counts = count_pretokens(files(path), name, SPECIAL_TOKENS, threads=threads)
    assert counts.items() == count_pretokens([path.read_bytes()], name, SPECIAL_TOKENS).items()


def test_many_files_are_many_texts(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(4)]
    for path, text in zip(paths, CORPUS, strict=True):
        path.write_text(text, encoding="utf-8", newline="")
    counts = count_pretokens(files(*paths), None)
    assert counts.items() == count_pretokens(CORPUS, None).items()
    assert counts == count_pretokens(files(*reversed(paths)), None)
    assert train(files(*paths), 400) == train(CORPUS, 400)
    assert train(files(*map(str, paths)), 400, threads=2) == train(CORPUS, 400)


def test_a_separator_ends_texts(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes(b"ab\n--\ncd\n--\n\n--\nab")
    counts = count_pretokens(files(path, separator="\n--\n"), None)
    assert counts.items() == [(b"ab", 2), (b"cd", 1)]
    assert count_pretokens(files(path), None).items() == [(path.read_bytes(), 1)]


def test_json_lines(tmp_path: Path) -> None:
    rows = [{"text": "ab\n"}, {"text": "cd", "other": 1}, {"text": ""}, {"text": "ab\n"}]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    expected = [(b"ab\n", 2), (b"cd", 1)]
    assert count_pretokens(files(path), None).items() == expected
    renamed = path.rename(tmp_path / "texts.txt")
    assert count_pretokens(files(renamed, format="jsonl"), None).items() == expected
    assert count_pretokens(files(renamed), None).total == 1
    renamed.write_text('{"body": "x"}\n')
    assert count_pretokens(files(renamed, format="jsonl", field="body"), None).total == 1


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "line 3 is no JSON object"),
        ("[1]", "line 3 is no JSON object"),
        ("7", "line 3 is no JSON object"),
        ('{"other": "x"}', "line 3 has no field `text`"),
        ('{"text": 7}', "line 3: the field `text` is no text but `int`"),
        ('{"text": null}', "line 3: the field `text` is no text but `NoneType`"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, named: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text('{"text": "ab"}\n\n' + line + "\n")
    with pytest.raises(FormatError, match=named) as error:
        count_pretokens(files(path))
    assert f"`{path}`: " in str(error.value)


def test_strict_refuses_what_is_no_utf_8_with_file_and_offset(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_bytes("é".encode() * 1000)
    bad.write_bytes(b"a" * 70_000 + b"\xc3" + b"b" * 70_000)
    for threads in (1, 4):
        with pytest.raises(FormatError, match="byte 70000 is not UTF-8") as error:
            bytepair.train(files(good, bad), 300, errors="strict", threads=threads)
        assert str(error.value).startswith(f"`{bad}`: ")
    with pytest.raises(FormatError, match="text 1: byte 2 is not UTF-8"):
        bytepair.train(["é", b"ab\xff"], 300, errors="strict")
    assert len(train(files(good, bad), 257)) == 257
    assert train(files(good), 257, errors="strict").merges == [(b"\xc3", b"\xa9")]


def test_strict_names_the_separated_text_by_its_place_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes(b"abc|de\xff|f")
    with pytest.raises(FormatError, match="byte 6 is not UTF-8"):
        count_pretokens(files(path, separator="|"), errors="strict")


def test_what_files_refuses(tmp_path: Path) -> None:
    (tmp_path / "utf16.txt").write_bytes("\ufeffhello".encode("utf-16-le"))
    (tmp_path / "big.txt").write_bytes("\ufeffhello".encode("utf-16-be"))
    (tmp_path / "a.txt").write_text("a")
    for name in ("utf16.txt", "big.txt"):
        with pytest.raises(FormatError, match=r"byte-order mark of UTF-16") as error:
            files(tmp_path / name)
        assert name in str(error.value)
        assert "iconv" in str(error.value.hint)
    with pytest.raises(FileNotFoundError, match=r"absent\.txt"):
        files(tmp_path / "absent.txt")
    with pytest.raises(OSError, match="directory"):
        files(tmp_path)
    with pytest.raises(ValueError, match="at least one path"):
        files()
    with pytest.raises(FormatError, match="format `xml` is not supported"):
        files(tmp_path / "a.txt", format="xml")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="separator is the empty text"):
        files(tmp_path / "a.txt", separator="")
    with pytest.raises(ValueError, match="separator splits text files"):
        files(tmp_path / "a.txt", format="jsonl", separator="x")


def test_a_file_that_vanishes_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gone.txt"
    path.write_text("a")
    source = files(path)
    path.unlink()
    with pytest.raises(FileNotFoundError, match=r"gone\.txt"):
        bytepair.train(source, 300)
