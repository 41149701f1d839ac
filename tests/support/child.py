"""Programs run in a process of their own, where memory and warnings can be told apart."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import bytepair

#: What a child's program starts with: `resident()` is the memory that it has now, in MB.
PRELUDE = """
import sys
import bytepair

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 2**20
"""

#: For tests that need `resident`.
HAS_PROC = Path("/proc/self/statm").exists()


def run_child(program: str, *arguments: object, timeout: float = 300, **environment: str) -> str:
    """What `program` prints, run in a Python of its own; fails where it fails or says anything on
    stderr, a warning among it, or takes longer than `timeout` seconds."""
    package = str(Path(bytepair.__file__).parent.parent)
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "always",
            "-c",
            PRELUDE + textwrap.dedent(program),
            *map(str, arguments),
        ],
        env={**os.environ, "PYTHONPATH": package, "PYTHONHASHSEED": "0", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )
    if done.returncode or done.stderr:  # said here: pytest explains no assertion of this module
        raise AssertionError(f"exit code {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout
