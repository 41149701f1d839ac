"""The data: complete, checked when it is read, and enough without a network."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bytepair
from bytepair import registry
from bytepair.vocabs.recipes import RECIPES

FOLDER = Path(bytepair.__file__).with_name("vocabs")

OFFLINE = """
import socket, sys

def refuse(*_, **__):
    sys.exit("wanted the network")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
import bytepair
for name in sys.argv[1:]:
    print(name, *bytepair.load(name).encode("Tokenizers are fun: 今天西安的天气怎么样？"))
"""


def copied(monkeypatch, tmp_path) -> Path:
    """The data in a folder that a test may damage."""
    for path in FOLDER.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(registry, "_VOCABS", tmp_path)
    for cached in (registry._checksums, registry._all_special_tokens):
        cached.cache_clear()
        monkeypatch.setattr(registry, cached.__name__, cached.__wrapped__)
    return tmp_path


def test_the_list_of_checksums_holds():
    lines = (FOLDER / "SHA256SUMS").read_text().splitlines()
    listed = dict(reversed(line.split("  ")) for line in lines)
    data = {path.name for path in FOLDER.iterdir() if path.suffix in {".zlib", ".json"}}
    assert listed.keys() == data
    assert {f"{recipe.vocab}.zlib" for recipe in RECIPES} | {"special_tokens.json"} == data
    for name, digest in listed.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest


def test_notice_and_readme_name_every_file(root):
    for page in (root / "NOTICE", root / "python" / "bytepair" / "vocabs" / "README.md"):
        text = page.read_text(encoding="utf-8")
        assert [path.name for path in FOLDER.glob("*.zlib") if path.name not in text] == []


def test_all_of_it_is_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 8_000_000


@pytest.mark.parametrize("file", ["gpt2.zlib", "special_tokens.json"])
@pytest.mark.parametrize("damage", ["flip", "cut", "grow", "empty"])
def test_a_damaged_file_is_refused(monkeypatch, tmp_path, file, damage):
    path = copied(monkeypatch, tmp_path) / file
    data = path.read_bytes()
    expected = hashlib.sha256(data).hexdigest()
    middle = len(data) // 2
    damaged = {
        "flip": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
        "cut": data[:-1],
        "grow": data + b"\n",
        "empty": b"",
    }[damage]
    path.write_bytes(damaged)
    with pytest.raises(bytepair.FormatError) as caught:
        bytepair.load("gpt2")
    assert caught.value.message == (
        f"`{path}` is damaged: its sha256 is `{hashlib.sha256(damaged).hexdigest()}`, "
        f"and `{expected}` was expected"
    )
    assert caught.value.hint == "reinstall bytepair"


@pytest.mark.parametrize("file", ["gpt2.zlib", "special_tokens.json", "SHA256SUMS"])
def test_a_missing_file_is_an_error_that_names_it(monkeypatch, tmp_path, file):
    path = copied(monkeypatch, tmp_path) / file
    path.unlink()
    with pytest.raises(bytepair.FormatError, match=re.escape(f"`{path}`")) as caught:
        bytepair.load("gpt2")
    assert caught.value.hint == "reinstall bytepair"


def test_the_copy_that_is_not_damaged_loads(monkeypatch, tmp_path):
    copied(monkeypatch, tmp_path)
    assert bytepair.load("gpt2").encode("hello") == [31373]


def start(*names: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", OFFLINE, *names]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def expected(*names: str) -> str:
    text = "Tokenizers are fun: 今天西安的天气怎么样？"
    return "".join(
        " ".join([name, *map(str, bytepair.load(name).encode(text))]) + "\n" for name in names
    )


def test_every_name_loads_in_a_fresh_process_without_a_network():
    out, err = start(*bytepair.names()).communicate()
    assert (out, err) == (expected(*bytepair.names()), "")


def test_eight_processes_load_at_once():
    names = ("o200k_base", "gpt2")
    processes = [start(*names) for _ in range(8)]
    assert {process.communicate() for process in processes} == {(expected(*names), "")}


def test_two_loads_are_equal_and_share_nothing_that_changes():
    one, other = bytepair.load("cl100k_base"), bytepair.load("cl100k_base")
    one.special_tokens.clear()
    registry.special_tokens(bytepair.info("cl100k_base")).clear()
    assert one.fingerprint == other.fingerprint
    assert len(bytepair.load("cl100k_base").special_tokens) == 5
