"""The facts without which a figure says nothing: which code, on which machine, how busy."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def git(*arguments: str) -> str | None:
    result = subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False
    )
    return result.stdout.strip() if result.returncode == 0 else None


@cache
def commit() -> str:
    """The checkout's commit, `+` where the code differs from it; `unknown` outside a checkout."""
    head = git("rev-parse", "--short=10", "HEAD")
    if head is None:
        return "unknown"
    return head + ("+" if git("status", "--porcelain", "--", "crates", "python") else "")


@cache
def core_sha256() -> str:
    """The compiled module that was measured: it may be older than the checkout."""
    spec = importlib.util.find_spec("bytepair._core")
    if spec is None or spec.origin is None:
        raise SystemExit("error: no compiled `bytepair._core`; `make develop` builds it")
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()[:16]


def version_of(distribution: str) -> str:
    """Of the module that runs, for ours: a checkout has no metadata, or an older build's."""
    if distribution != "bytepair":
        return version(distribution)
    import bytepair

    return bytepair.__version__


def facts() -> dict[str, object]:
    return {
        "commit": commit(),
        "core": core_sha256(),
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "os": platform.platform(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "load": [round(load, 1) for load in os.getloadavg()],
    }
