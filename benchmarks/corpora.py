"""The texts that are measured: what `corpora.toml` describes, cut to size, never repeated."""

from __future__ import annotations

import hashlib
import lzma
import os
import tomllib
from functools import cache
from pathlib import Path

from machine import ROOT

SCRATCH = ROOT / "target" / "bench"


@cache
def described() -> dict[str, dict[str, object]]:
    with (Path(__file__).parent / "corpora.toml").open("rb") as file:
        return tomllib.load(file)


def large_file(name: str) -> Path | None:
    """The corpus itself, or `None` where BYTEPAIR_SHARED has none."""
    folder = Path(os.environ.get("BYTEPAIR_SHARED", ROOT.parent / "shared"))
    path = folder / str(described()[name]["file"])
    return path if path.is_file() else None


def bundled(name: str) -> bytes:
    """The small text of the checkout that stands in for a corpus that is absent."""
    patterns = described()[name].get("bundled", [])
    files = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    return b"".join(path.read_bytes() for path in files)


def available(name: str) -> str | None:
    """`corpus`, `bundled`, or `None`: there is no text of this kind here."""
    if name == "mixture":
        return min((available(part) or "" for part in mixed()), default="") or None
    return "corpus" if large_file(name) else "bundled" if bundled(name) else None


def mixed() -> list[str]:
    return [name for name, entry in described().items() if entry.get("in_mixture")]


def head(name: str, size: int) -> bytes:
    """The first `size` bytes, less what would cut a character."""
    if name == "mixture":
        # As much of each as of the others, until one is used up.
        return b"".join(head(part, size // len(mixed())) for part in mixed())
    path = large_file(name)
    if path is None:
        data = bundled(name)[:size]
    else:
        with lzma.open(path) as file:
            data = file.read(size)
    return data.decode("utf-8", "ignore").encode()


def halves(name: str, size: int) -> tuple[str, str]:
    """Two texts of one kind, each half of `size`: the second is fresh after the first."""
    text = head(name, size).decode()
    middle = len(text) // 2
    return text[:middle], text[middle:]


def as_file(name: str, size: int) -> Path:
    """The text as a file, for what reads files only."""
    path = SCRATCH / "texts" / f"{name}-{size}-{available(name)}.txt"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_bytes(head(name, size))
        beside.replace(path)
    return path


def verify() -> None:
    """Every corpus that is here is the one that is described."""
    for name, entry in described().items():
        path = large_file(name)
        if path is None:
            continue
        digest = hashlib.sha256()
        with lzma.open(path) as file:
            while block := file.read(1 << 20):
                digest.update(block)
        if digest.hexdigest() != entry["sha256"]:
            raise SystemExit(
                f"error: `{path}` has sha256 {digest.hexdigest()}, and corpora.toml says "
                f"{entry['sha256']}\nhint: another edition gives other figures; name it there"
            )
