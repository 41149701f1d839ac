"""GPT-2's `vocab.json` and `merges.txt`: read with what stands beside them, and written whole."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from hard_texts import CORPUS, FRAGMENTS, TEXTS, trained
from hypothesis import given, settings

import bytepair
from bytepair import BytepairError, FormatError, Tokenizer
from bytepair.cli import main


def small() -> Tokenizer:
    return Tokenizer.from_merges([(b"a", b"b"), (b" ", b"ab"), (b"\xc3", b"\xa9")])


def written(folder: Path, tok: Tokenizer | None = None, **entries: int) -> Path:
    """The two files in a folder, with more entries in the vocabulary."""
    (tok or small()).save(folder, format="gpt2")
    vocab = json.loads((folder / "vocab.json").read_text()) | entries
    (folder / "vocab.json").write_text(json.dumps(vocab))
    return folder


def beside(folder: Path, **contents: Any) -> None:
    for name, content in contents.items():
        (folder / f"{name}.json").write_text(json.dumps(content))


# ------------------------------------------------------------------ the two files


def test_round_trip_by_every_name(tmp_path: Path) -> None:
    tok = trained("gpt2")
    # `é<` is read as the byte E9 before `<` where tokens are kept by their text.
    tok = Tokenizer.from_merges(tok.merges, special_tokens={"<|a|>": 500, "<|a b|>": 7000})
    tok.save(tmp_path, format="gpt2")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["merges.txt", "vocab.json"]
    for path in (tmp_path, tmp_path / "vocab.json", tmp_path / "merges.txt"):
        again = bytepair.load(path)
        assert again == tok
        assert again.name == tmp_path.name
    for name in ("x.vocab.json", "y-merges.txt"):
        tok.save(tmp_path / name)
        assert bytepair.load(tmp_path / name) == tok
        assert bytepair.load(tmp_path / name).name == name[0]
    with pytest.raises(FormatError, match="holds several tokenizers") as error:
        (tmp_path / "vocab.json").rename(tmp_path / "z.vocab.json")
        bytepair.load(tmp_path)
    assert "`x.vocab.json`, `y-vocab.json`" in str(error.value.hint)


@pytest.mark.parametrize("file", ["gpt2.vocab.json", "gpt2.merges.txt"])
def test_the_published_files(shared: Path, file: str) -> None:
    tok = bytepair.load(shared / "vocabs" / "other" / file)
    assert tok == bytepair.load("gpt2")
    assert tok.special_tokens == {"<|endoftext|>": 50256}


@settings(max_examples=200)
@given(text=TEXTS)
def test_the_library_gives_the_same_ids(tmp_path_factory: Any, text: str) -> None:
    ours, theirs = _judges(tmp_path_factory)
    assert theirs.encode(text).ids == ours.encode(text)


def _judges(factory: Any, made: list[Any] = []) -> tuple[Tokenizer, Any]:  # noqa: B006
    if not made:
        folder = factory.mktemp("judge")
        ours = Tokenizer.from_merges(trained("gpt2").merges, special_tokens=["<|a|>"])
        ours.save(folder, format="gpt2")
        files = (str(folder / "vocab.json"), str(folder / "merges.txt"))
        theirs = tokenizers.Tokenizer(tokenizers.models.BPE.from_file(*files))
        theirs.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        made += [ours, theirs]
    return made[0], made[1]


@pytest.mark.parametrize("name", ["gpt2", "r50k_base"])
def test_bundled_ones_of_the_pattern_can_be_written(tmp_path: Path, name: str) -> None:
    bytepair.load(name).save(tmp_path, format="gpt2")
    again = bytepair.load(tmp_path)
    assert again == bytepair.load(name)
    files = (str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    theirs = tokenizers.ByteLevelBPETokenizer(*files)  # type: ignore[attr-defined]
    for text in [*CORPUS, *FRAGMENTS]:
        assert theirs.encode(text).ids == again.encode(text)


@pytest.mark.parametrize(
    "merges",
    [
        "a b\nĠ ab\nÃ ©\n",
        "#version: 0.2\r\na b\r\nĠ ab\r\nÃ ©\r\n\r\n",
        "#version: 0.2 - Trained by `huggingface/tokenizers`\na b\n\nĠ ab\nÃ ©",
    ],
)
def test_spellings_of_the_merges(tmp_path: Path, merges: str) -> None:
    written(tmp_path)
    (tmp_path / "merges.txt").write_bytes(merges.encode())
    assert bytepair.load(tmp_path) == small()


# ------------------------------------------------------------------ pattern and special tokens


def test_what_no_merge_makes_is_a_special_token(tmp_path: Path) -> None:
    written(tmp_path, **{"<s>": 300, "[PAD]": 299, "中": 400, "ab cd": 401})
    tok = bytepair.load(tmp_path)
    assert tok.special_tokens == {"[PAD]": 299, "<s>": 300, "中": 400, "ab cd": 401}
    assert tok.encode("<s>") != [300]
    assert tok.encode("<s>", allowed_special="all") == [300]


def test_what_is_told_goes_first(tmp_path: Path) -> None:
    written(tmp_path, **{"<s>": 300, "xyz": 299})
    beside(tmp_path, special_tokens_map={"eos_token": "<s>"})
    tok = bytepair.load(tmp_path, special_tokens={"<s>": 300, "<new>": 301})
    assert tok.special_tokens == {"<s>": 300, "<new>": 301}
    assert tok.token_bytes(299) == b"xyz"
    assert bytepair.load(tmp_path, special_tokens=["<new>", "<s>"]).special_tokens == {
        "<s>": 300,
        "<new>": 301,
    }
    with pytest.raises(FormatError, match="`<s>` has the id 300, not 5"):
        bytepair.load(tmp_path, special_tokens={"<s>": 5})
    (tmp_path / "special_tokens_map.json").unlink()
    assert bytepair.load(tmp_path, pattern="o200k").pattern == trained("o200k").pattern
    assert bytepair.load(tmp_path, pattern=None).pattern is None


def test_what_stands_beside(tmp_path: Path) -> None:
    written(tmp_path, **{"<s>": 300, "<mask>": 301})
    beside(
        tmp_path,
        added_tokens={"<u>": 310, "<v>": 311},
        special_tokens_map={
            "bos_token": "<s>",
            "mask_token": {"content": "<mask>", "lstrip": True, "normalized": False},
            "additional_special_tokens": ["<v>"],
        },
        tokenizer_config={
            "tokenizer_class": "RobertaTokenizer",
            "add_prefix_space": True,
            "added_tokens_decoder": {
                "312": {"content": "<w>", "special": False, "rstrip": True, "normalized": True}
            },
        },
    )
    tok = bytepair.load(tmp_path)
    assert tok.special_tokens == {"<s>": 300, "<mask>": 301, "<v>": 311}
    assert [(t.text, t.id, t.rstrip, t.normalized) for t in tok.added_tokens] == [
        ("<u>", 310, False, False),
        ("<w>", 312, True, True),
    ]
    assert tok.normalization == "prefix_space"
    assert tok.encode("ab  <mask>", allowed_special="all") == [257, 301]


@pytest.mark.parametrize(
    ("name", "content", "named"),
    [
        ("special_tokens_map", {"pad_token": "<pad>"}, "`<pad>` has no entry of its own there"),
        ("added_tokens", {"<s>": 5}, "`<s>` has the id 300 there, and the id 5"),
        ("added_tokens", {"<t>": "5"}, "declare added tokens in a way that is not known"),
        ("added_tokens", [], "holds no object"),
        ("tokenizer_config", {"added_tokens_decoder": {"x": {}}}, "declare added tokens"),
        ("tokenizer_config", {"tokenizer_class": "Qwen2Tokenizer"}, "the class `Qwen2Tokenizer`"),
    ],
)
def test_what_stands_beside_and_does_not_hold(
    tmp_path: Path, name: str, content: Any, named: str
) -> None:
    written(tmp_path, **{"<s>": 300})
    beside(tmp_path, **{name: content})
    with pytest.raises(FormatError) as error:
        bytepair.load(tmp_path)
    assert named in str(error.value)
    assert str(tmp_path) in str(error.value)
    (tmp_path / f"{name}.json").write_text("{")
    with pytest.raises(FormatError, match=f"{name}.json` is not JSON"):
        bytepair.load(tmp_path)


def test_another_class_needs_a_pattern(tmp_path: Path) -> None:
    written(tmp_path)
    beside(tmp_path, tokenizer_config={"tokenizer_class": "Qwen2Tokenizer"})
    assert bytepair.load(tmp_path, pattern="qwen2").pattern == trained("qwen2").pattern


# ------------------------------------------------------------------ faults


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("ab", "`ab` is no merge: two tokens with a blank between them"),
        ("a b c", "`a b c` is no merge"),
        ("a ", "`a ` is no merge"),
        (" a", "` a` is no merge"),
        ("#version: 0.2", "`#version:` is no token of the vocabulary"),
        ("a b", "`a` + `b` is listed before"),
        ("q z", "`qz` is no token of the vocabulary"),
        ("中 a", "`中` has characters outside the byte alphabet"),
    ],
)
def test_a_bad_line_is_named_with_its_number(tmp_path: Path, line: str, named: str) -> None:
    """C03: file, line and content."""
    written(tmp_path)
    good = ["#version: 0.2", "a b", "Ġ ab", "Ã ©", "", ""]
    (tmp_path / "merges.txt").write_text("\n".join([*good, line]), encoding="utf-8")
    with pytest.raises(BytepairError) as error:
        bytepair.load(tmp_path)
    path = tmp_path / "merges.txt"
    assert str(error.value).startswith(f"`{path}`: merges.txt: line 7: ")
    assert named in str(error.value)


@pytest.mark.parametrize(
    ("vocab", "named"),
    [
        ("{", r"vocab.json: line 1: column"),
        ("[]", r"the vocabulary is a list"),
        ('{"a": -1}', r"line 1: column"),
        ('{"a": 0}', "no token for the byte"),
        ('{"a": 0, "a": 1}', "the token `a` has two ids, 0 and 1"),
        ('{"a": 0, "b": 0}', "the id 0 belongs to two tokens, `a` and `b`"),
        ('{"a": 99999999}', "the id 99999999 is above"),
    ],
)
def test_a_vocabulary_that_does_not_hold_is_named(tmp_path: Path, vocab: str, named: str) -> None:
    written(tmp_path)
    (tmp_path / "vocab.json").write_text(vocab)
    (tmp_path / "merges.txt").write_text("")
    with pytest.raises(BytepairError) as error:
        bytepair.load(tmp_path)
    assert named in str(error.value)
    assert str(error.value).startswith(f"`{tmp_path / 'vocab.json'}`: ")


def test_an_end_of_word_mark_is_refused(tmp_path: Path) -> None:
    written(tmp_path, **{"a</w>": 300, "b</w>": 301})
    with pytest.raises(FormatError, match=r"`a</w>` .* has the end-of-word suffix `</w>`"):
        bytepair.load(tmp_path)


def test_both_files_are_needed(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "merges.txt").unlink()
    with pytest.raises(FormatError, match=r"no `merges\.txt` stands beside it"):
        bytepair.load(tmp_path / "vocab.json")
    with pytest.raises(FormatError, match=r"no `merges\.txt` stands beside it"):
        bytepair.load(tmp_path / "merges.txt")
    with pytest.raises(FormatError, match="holds neither"):
        bytepair.load(tmp_path)
    # A tokenizer.json may have any name.
    small().save(tmp_path / "my.vocab.json", format="huggingface")
    assert bytepair.load(tmp_path / "my.vocab.json") == small()


def refused() -> dict[str, Tokenizer]:
    tok = small()
    made = {n: bytes([n]) for n in range(256)} | {256: b"ab", 257: b"xyz"}
    return {
        "the pattern": Tokenizer.from_merges(tok.merges, pattern="o200k"),
        "the pattern `None`": Tokenizer.from_merges(tok.merges, pattern=None),
        "the normalization `nfc`": Tokenizer.from_merges(tok.merges, normalization="nfc"),
        "`ignore_merges`": Tokenizer.from_merges(tok.merges, ignore_merges=True),
        "the token `xyz` (id 257), which no merge makes": Tokenizer.from_merges(
            [(b"a", b"b")], vocab=made
        ),
        "the added token `é`": Tokenizer.from_merges([], special_tokens=["é"]),
    }


@pytest.mark.parametrize("named", refused())
def test_what_the_files_cannot_hold_is_refused_by_name(tmp_path: Path, named: str) -> None:
    with pytest.raises(FormatError) as error:
        refused()[named].save(tmp_path, format="gpt2")
    assert f"vocab.json and merges.txt cannot hold {named}" in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"vocab\.json` cannot be written: No such file"):
        small().save(tmp_path / "absent", format="gpt2")


def test_the_command_line_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path)
    text = tmp_path / "text"
    text.write_text("ab ab")
    for path in (tmp_path, tmp_path / "vocab.json", tmp_path / "merges.txt"):
        assert main(["encode", "-t", str(path), str(text)]) == 0
        assert capsys.readouterr().out.split() == ["256", "257"]
    shutil.copy(tmp_path / "vocab.json", tmp_path / "m.vocab.json")
    shutil.copy(tmp_path / "merges.txt", tmp_path / "m.merges.txt")
    assert main(["count", "-t", str(tmp_path / "m.merges.txt"), str(text)]) == 0
