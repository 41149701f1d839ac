"""Files that appear only when whole: written beside their places, then renamed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bytepair.errors import FormatError

__all__ = ["write_whole"]


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Writes files so that none is ever seen half: all beside their places first, then renamed."""
    written: list[tuple[Path, Path]] = []
    try:
        for path, data in contents.items():
            draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            written.append((draft, path))
            with draft.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for draft, path in written:
            draft.replace(path)
    except OSError as error:
        path = written[-1][1]
        raise FormatError(f"`{path}` cannot be written: {error.strerror}") from error
    finally:
        for draft, _ in written:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
