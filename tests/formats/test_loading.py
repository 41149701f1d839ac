"""A name, a file or a folder → a tokenizer, or an error that says what and where."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hard_texts import trained

import bytepair
from bytepair import FormatError, PatternError, Tokenizer, UnknownNameError, VocabError

BYTES = {bytes([byte]): byte for byte in range(256)}


def ranks_file(ranks: dict[bytes, int]) -> bytes:
    lines = (base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())
    return b"".join(lines)


# ------------------------------------------------------------------ names


def test_names_are_found_before_files(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    trained("gpt2").save("gpt2.json")
    Path("gpt2.json").rename("gpt2")
    assert bytepair.load("gpt2") == bytepair.load("gpt-2")
    assert bytepair.load("./gpt2") == trained("gpt2")
    assert bytepair.load(Path("gpt2")) == trained("gpt2")


def test_the_name_is_what_it_was_loaded_as(tmp_path: Path) -> None:
    assert bytepair.load("gpt-4o").name == "o200k_base"
    trained("gpt2").save(tmp_path / "mine.json")
    assert bytepair.load(tmp_path / "mine.json").name == "mine"
    (tmp_path / "model").mkdir()
    trained("gpt2").save(tmp_path / "model" / "tokenizer.json")
    assert bytepair.load(tmp_path / "model").name == "model"
    assert bytepair.load(str(tmp_path / "model" / "tokenizer.json")).name == "model"


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown tokenizer `cl200k`") as error:
        bytepair.load("cl200k")
    assert "did you mean `cl100k_base`?" in str(error.value.hint)
    assert isinstance(error.value, LookupError)
    for name in ("no-such/model", "zzzzzz"):
        with pytest.raises(UnknownNameError, match=f"`{name}`"):
            bytepair.load(name)
    with pytest.raises(UnknownNameError, match="the empty text"):
        bytepair.load("")


def test_a_bundled_name_has_its_own_recipe() -> None:
    for options in ({"pattern": "gpt2"}, {"pattern": None}, {"special_tokens": {}}):
        with pytest.raises(ValueError, match="`gpt2` is bundled with its pattern"):
            bytepair.load("gpt2", **options)  # type: ignore[arg-type]


# ------------------------------------------------------------------ folders


def test_a_folder_that_holds_one(tmp_path: Path) -> None:
    trained("gpt2").save(tmp_path / "only.tiktoken")
    assert bytepair.load(tmp_path) == trained("gpt2")
    trained("o200k").save(tmp_path / "tokenizer.json")
    assert bytepair.load(tmp_path) == trained("o200k")


def test_a_folder_that_holds_several_or_none(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"holds neither a `tokenizer\.json` nor a .* nor a"):
        bytepair.load(tmp_path)
    trained("gpt2").save(tmp_path / "a.tiktoken")
    trained("gpt2").save(tmp_path / "b.tiktoken")
    with pytest.raises(FormatError, match="holds several") as error:
        bytepair.load(tmp_path)
    assert "`a.tiktoken`, `b.tiktoken`" in str(error.value.hint)


# ------------------------------------------------------------------ .tiktoken


def test_ranks_alone_must_be_told_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiktoken"
    path.write_bytes(ranks_file(BYTES | {b"ab": 256}))
    with pytest.raises(
        FormatError, match=r"holds ranks alone, and no `mine\.tiktoken\.json`"
    ) as error:
        bytepair.load(path)
    assert str(path) in str(error.value)
    assert "pass pattern=…" in str(error.value.hint)
    tok = bytepair.load(path, pattern="gpt2", special_tokens={"<s>": 300})
    assert tok == Tokenizer.from_ranks(
        BYTES | {b"ab": 256}, pattern="gpt2", special_tokens={"<s>": 300}
    )
    assert bytepair.load(path, pattern=None).pattern is None
    assert bytepair.load(path, pattern=None, special_tokens=["<s>"]).special_tokens == {"<s>": 257}
    with pytest.raises(PatternError, match="no pattern is named `gpt22`"):
        bytepair.load(path, pattern="gpt22")


def test_what_is_told_must_agree_with_the_pattern_that_stands_beside(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiktoken"
    tok = trained("gpt2")
    tok.save(path)
    assert bytepair.load(path, pattern="gpt2") == tok
    assert bytepair.load(path, special_tokens={"<s>": 999}).special_tokens == {"<s>": 999}
    assert bytepair.load(path, special_tokens={}).pattern == tok.pattern
    for pattern in ("o200k", None):
        with pytest.raises(FormatError, match=r"mine\.tiktoken\.json` says that the pattern is"):
            bytepair.load(path, pattern=pattern)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("r50k_base", "r50k_base"),
        ("p50k_base", "p50k_base"),
        ("cl100k_base", "cl100k_base"),
        ("o200k_base", "o200k_base"),
        ("qwen", "qwen2.5"),
        ("glm4", "glm4"),
    ],
)
def test_published_files_are_known_by_their_content(
    shared: Path, tmp_path: Path, file: str, name: str
) -> None:
    copy = tmp_path / "anything.tiktoken"
    copy.write_bytes((shared / "vocabs" / "tiktoken" / f"{file}.tiktoken").read_bytes())
    tok = bytepair.load(copy)
    assert tok == bytepair.load(name)
    assert tok.name == "anything"
    own = bytepair.load(copy, special_tokens={"<mine>": tok.vocab_size})
    assert own.special_tokens == {"<mine>": tok.vocab_size}
    assert own.pattern == tok.pattern


def test_line_ends_of_windows_and_blank_lines_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiktoken"
    data = ranks_file(BYTES | {b"ab": 256})
    path.write_bytes(data.replace(b"\n", b"\r\n") + b"\r\n\n")
    assert bytepair.load(path, pattern=None).token_id("ab") == 256
    path.write_bytes(data.removesuffix(b"\n"))
    assert bytepair.load(path, pattern=None).token_id("ab") == 256
    # The order of lines means nothing.
    path.write_bytes(b"\n".join(reversed(data.splitlines())))
    assert bytepair.load(path, pattern=None).token_id("ab") == 256


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"", "the file holds no tokens"),
        (b"\n\n", "the file holds no tokens"),
        (ranks_file(BYTES) + b"YWI=", "line 257: expected a token in base64, a blank and a rank"),
        (ranks_file(BYTES) + b"YWI= ", "line 257: the rank in `YWI= ` is no whole number"),
        (ranks_file(BYTES)[:-200], "no token for the byte|line"),
        (ranks_file(BYTES) + b"YW= 256\n", "line 257: the token in `YW= 256` is not base64"),
        (ranks_file(BYTES) + b"YWI= 256 7\n", "line 257: expected a token in base64"),
        (ranks_file(BYTES) + b"YWI= -1\n", "line 257: the rank in `YWI= -1` is no whole number"),
        (ranks_file(BYTES) + b"YWI= 1.5\n", "line 257: the rank in"),
        (
            ranks_file(BYTES) + b"YWI= 97\n",
            "line 257: the id 97 belongs to two tokens, `a` and `ab`",
        ),
        (ranks_file(BYTES) + b"YQ== 256\n", "line 257: the token `a` has two ids, 97 and 256"),
        (ranks_file(BYTES).replace(b"QQ== 65\n", b""), "no token for the byte 0x41"),
        (ranks_file(BYTES) + b"YWI= 99999999999\n", "line 257: the rank in"),
        (ranks_file(BYTES) + b"YWI= 4294967295\n", "the id 4294967295 is above"),
        (b"\x00\xff\xfe junk", "line 1"),
    ],
)
def test_ranks_that_do_not_hold_are_named_with_their_line(
    tmp_path: Path, data: bytes, named: str
) -> None:
    path = tmp_path / "broken.tiktoken"
    path.write_bytes(data)
    with pytest.raises((FormatError, VocabError), match=named) as error:
        bytepair.load(path, pattern="gpt2")
    assert str(error.value).startswith(f"`{path}`: ")


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "cut.tiktoken"
    # From the last byte down: each cut loses bytes that texts are made of.
    whole = ranks_file(dict(reversed(BYTES.items())))
    for length in range(0, len(whole) - 1, 7):
        path.write_bytes(whole[:length])
        with pytest.raises((FormatError, VocabError)):
            bytepair.load(path, pattern="gpt2")


# ------------------------------------------------------------------ the sidecar


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda _: "{", "is no sidecar of a .tiktoken file: Expecting"),
        (lambda _: "[]", "is no sidecar of a .tiktoken file"),
        (lambda _: "{}", "lacks the entry 'format'"),
        (lambda beside: beside | {"format": "other"}, "its format is `other`"),
        (lambda beside: without(beside, "pattern"), "lacks the entry 'pattern'"),
        (lambda beside: without(beside, "special_tokens"), "lacks the entry 'special_tokens'"),
        (lambda beside: beside | {"special_tokens": [{"id": 300}]}, "is no sidecar"),
        (lambda beside: beside | {"special_tokens": [{"nonsense": 1}]}, "is no sidecar"),
        (lambda beside: beside | {"special_tokens": [{"text": 1, "id": "x"}]}, "mine"),
        (lambda beside: beside | {"special_tokens": [{"text": "<s>", "id": 97}]}, "`<s>`.*id 97"),
        (lambda beside: beside | {"pattern": "("}, "does not compile"),
        (lambda beside: beside | {"pattern": 7}, "mine"),
        (lambda beside: beside | {"normalization": "nfkd"}, "nfkd"),
    ],
)
def test_a_broken_sidecar_is_named(
    tmp_path: Path, change: Callable[[Any], object], named: str
) -> None:
    path = tmp_path / "mine.tiktoken"
    trained("gpt2").save(path)
    beside = tmp_path / "mine.tiktoken.json"
    changed = change(json.loads(beside.read_text()))
    beside.write_text(changed if isinstance(changed, str) else json.dumps(changed))
    with pytest.raises(bytepair.BytepairError, match=named) as error:
        bytepair.load(path)
    assert "mine.tiktoken" in str(error.value)


def without(entries: dict[str, object], name: str) -> dict[str, object]:
    return {key: value for key, value in entries.items() if key != name}


# ------------------------------------------------------------------ tokenizer.json


def saved(tmp_path: Path) -> Any:
    trained("gpt2").save(tmp_path / "whole.json")
    return json.loads((tmp_path / "whole.json").read_text())


def test_added_tokens_that_are_not_special_always_match(tmp_path: Path) -> None:
    content = saved(tmp_path)
    content["added_tokens"] += [
        {"id": 600, "content": "  ", "special": False, "normalized": False},
        {"id": 601, "content": "<L>", "special": False, "lstrip": True, "normalized": False},
        {"id": 602, "content": "<W>", "special": True, "single_word": True, "normalized": False},
    ]
    path = tmp_path / "added.json"
    path.write_text(json.dumps(content))
    tok = bytepair.load(path)
    assert [(token.text, token.id, token.special) for token in tok.added_tokens] == [
        ("  ", 600, False),
        ("<L>", 601, False),
    ]
    assert tok.added_tokens[1].lstrip
    assert tok.special_tokens["<W>"] == 602
    assert tok.encode("the  cat") == [*tok.encode("the"), 600, *tok.encode("cat")]
    assert tok.encode("the <L>") == [*tok.encode("the"), 601]
    assert tok.encode("x<W>", allowed_special="all") == tok.encode("x<W>")
    assert 602 in tok.encode("x <W> y", allowed_special="all")
    assert 602 not in tok.encode("x <W> y")
    again = tmp_path / "again.json"
    tok.save(again)
    assert bytepair.load(again) == tok
    tok.save(tmp_path / "again.tiktoken")
    assert bytepair.load(tmp_path / "again.tiktoken") == tok
    assert tok.with_special_tokens(["<new>"]).added_tokens == tok.added_tokens


def changed(content: Any, path: str, value: object) -> Any:
    *folders, last = path.split(".")
    place = content
    for folder in folders:
        place = place[folder]
    place[last] = value
    return content


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("model.type", "WordPiece", "a model of the type `WordPiece`"),
        ("model.byte_fallback", True, "`byte_fallback`"),
        ("model.dropout", 0.1, "`dropout`"),
        ("model.end_of_word_suffix", "</w>", "`end_of_word_suffix` (`</w>`)"),
        ("model.vocab", {"a": 0}, "no token for the byte"),
        ("model.vocab", {"漢": 0}, "`漢`"),
        ("model.merges", [], "merges"),
        ("model.merges", [["a"]], "merge"),
        ("model.merges", ["a b c"], "merge"),
        ("model.merges", ["zz yy"], "merge 0: `zz` is no token of the vocabulary"),
        ("model", {}, "merges|line"),
        ("pre_tokenizer", None, "no ByteLevel step"),
        ("pre_tokenizer", {"type": "Metaspace"}, "pre_tokenizer `Metaspace`"),
        ("pre_tokenizer.type", "Nonsense", "pre_tokenizer `Nonsense`"),
        ("pre_tokenizer.more", 1, "pre_tokenizer `Sequence`: its entry `more`"),
        ("model.more", 1, "unknown field `more`"),
        ("more", 1, "unknown field `more`"),
        ("normalizer", {"type": "NFKC"}, "normalizer `NFKC`"),
        ("normalizer", {"type": "Lowercase"}, "normalizer `Lowercase`"),
    ],
)
def test_what_byte_level_bpe_is_not_is_refused_by_name(
    tmp_path: Path, path: str, value: object, named: str
) -> None:
    file = tmp_path / "other.json"
    file.write_text(json.dumps(changed(saved(tmp_path), path, value)))
    with pytest.raises((FormatError, VocabError)) as error:
        bytepair.load(file)
    assert any(each in str(error.value) for each in named.split("|"))
    assert str(error.value).startswith(f"`{file}`: ")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"model": 7}', "\ufeff{", "\x00"])
def test_what_is_no_tokenizer_json_says_where(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(FormatError, match="line 1: column") as error:
        bytepair.load(path)
    assert str(error.value).startswith(f"`{path}`: ")


def test_every_cut_of_a_tokenizer_json_is_noticed(tmp_path: Path) -> None:
    saved(tmp_path)
    whole = (tmp_path / "whole.json").read_bytes().rstrip()
    path = tmp_path / "cut.json"
    for length in range(0, len(whole), len(whole) // 50):
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError, match=r"line \d+: column \d+"):
            bytepair.load(path)


def test_a_tokenizer_json_has_its_own_recipe(tmp_path: Path) -> None:
    saved(tmp_path)
    for options in ({"pattern": "gpt2"}, {"special_tokens": {}}):
        with pytest.raises(ValueError, match=r"a tokenizer\.json has its pattern"):
            bytepair.load(tmp_path / "whole.json", **options)  # type: ignore[arg-type]


# ------------------------------------------------------------------ files that cannot be read


def test_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in ("absent.json", "absent/tokenizer.json", "file/tokenizer.json"):
        with pytest.raises(FormatError) as error:
            bytepair.load(tmp_path / place)
        assert str(tmp_path / place) in str(error.value)
    for name in ("./absent", "absent.json", "a/b/c", "absent.model"):
        with pytest.raises(FormatError, match="there is no such file or folder"):
            bytepair.load(name)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all files")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.json"
    path.write_text("{}")
    path.chmod(0)
    with pytest.raises(FormatError, match=r"secret\.json` cannot be read: Permission denied"):
        bytepair.load(path)


@pytest.mark.parametrize("name", ["a\0b", "./a\0b.json", "x" * 5000, "./" + "x" * 5000])
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises((FormatError, UnknownNameError)):
        bytepair.load(name)


def test_a_file_of_no_known_format(tmp_path: Path) -> None:
    path = tmp_path / "mine.bin"
    for data in (b"", b"\x00\x01", b"once upon a time"):
        path.write_bytes(data)
        with pytest.raises(FormatError, match=r"mine\.bin` is of no known format"):
            bytepair.load(path)
    path.write_bytes(ranks_file(BYTES))
    assert bytepair.load(path, pattern=None).vocab_size == 256
