"""The data is what `scripts/build_vocabs.py` makes of the originals."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from bytepair import registry


def build(root: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, root / "scripts" / "build_vocabs.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.fixture
def originals(shared) -> Path:
    return shared / "vocabs"


def test_the_stored_data_is_what_the_originals_give(root, originals):
    done = build(root, "--originals", originals, "--check")
    assert done.returncode == 0, done.stderr


def test_check_finds_what_differs(root, tmp_path):
    script = importlib.util.spec_from_file_location("script", root / "scripts" / "build_vocabs.py")
    module = importlib.util.module_from_spec(script)
    script.loader.exec_module(module)
    vocabs = root / "python" / "bytepair" / "vocabs"
    paths = [p for p in vocabs.iterdir() if p.suffix in {".zlib", ".json"}]
    files = {path.name: path.read_bytes() for path in [*paths, vocabs / "SHA256SUMS"]}
    stored = tmp_path / "vocabs"
    module.write(files, stored)
    module.check(files, stored)
    # Other versions of zlib may deflate otherwise: what counts is what comes out.
    files["gpt2.zlib"] = zlib.compress(zlib.decompress(files["gpt2.zlib"]), 1)
    module.check(files, stored)
    shutil.copy(stored / "gpt2.zlib", stored / "p50k_base.zlib")
    (stored / "qwen2.zlib").unlink()
    (stored / "extra.json").write_text("{}")
    with pytest.raises(SystemExit, match=r"`extra\.json`, `p50k_base\.zlib`, `qwen2\.zlib`"):
        module.check(files, stored)


def test_an_original_that_is_not_the_listed_one_is_refused(root, originals, tmp_path):
    folder = tmp_path / "tiktoken"
    folder.mkdir()
    shutil.copy(originals / "SHA256SUMS", tmp_path)
    (folder / "r50k_base.tiktoken").write_bytes(b"IQ== 0\n")
    done = build(root, "--originals", tmp_path, "--output", tmp_path / "out")
    assert done.returncode == 1
    assert "r50k_base.tiktoken`: its sha256 is" in done.stderr
    assert not (tmp_path / "out").exists()


def test_absent_originals_are_an_error_without_a_traceback(root, tmp_path):
    done = build(root, "--originals", tmp_path / "none")
    assert done.returncode == 1
    assert done.stderr.startswith("error: `")
    assert "Traceback" not in done.stderr


def test_known_files_are_the_originals(originals):
    lines = (originals / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    published = {line.split()[0]: Path(line.split()[1]).stem for line in lines}
    assert {published[digest]: name for digest, name in registry.KNOWN_FILES.items()} == {
        "r50k_base": "r50k_base",
        "p50k_base": "p50k_base",
        "cl100k_base": "cl100k_base",
        "o200k_base": "o200k_base",
        "qwen": "qwen2.5",
        "glm4": "glm4",
        "kimi_k2": "kimi_k2",
    }
