"""Small texts that the demo, the docs and the tests use; origins and licences are in the README
beside them."""

from __future__ import annotations

from pathlib import Path

__all__ = ["names", "path", "read"]

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
