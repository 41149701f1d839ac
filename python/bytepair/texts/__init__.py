"""Small texts that the demo, the docs and the tests use; origins and licences are in the README
beside them."""

from __future__ import annotations

import json
from pathlib import Path

__all__ = ["names", "parallel", "path", "read"]

_FOLDER = Path(__file__).parent
_NOT_TEXTS = {".py", ".md", ".pyc"}


def names() -> list[str]:
    """The embedded texts."""
    files = (file for file in _FOLDER.iterdir() if file.is_file())
    return sorted(file.name for file in files if file.suffix not in _NOT_TEXTS)


def path(name: str) -> Path:
    """The file of a text; ``FileNotFoundError`` names those that there are.

    >>> path("corpus.en").stat().st_size
    133027
    """
    file = _FOLDER / name
    if name not in names():
        raise FileNotFoundError(f"no embedded text `{name}`; there are: {', '.join(names())}")
    return file


def read(name: str) -> str:
    """A text whole.

    >>> read("corpus.en")[:12]
    'iron cement '
    """
    return path(name).read_text(encoding="utf-8")


def parallel() -> dict[str, str]:
    """One text in 42 languages, by their English names: articles 1 to 10 of the Universal
    Declaration of Human Rights, an article a line.

    >>> parallel()["Chinese, Mandarin (Simplified)"][:12]
    '人人生而自由,在尊严和权'
    """
    rows = map(json.loads, read("udhr.jsonl").splitlines())
    return {row["name"]: "\n".join(row["articles"]) + "\n" for row in rows}
