"""The terminal, for the commands that draw on it."""

from __future__ import annotations

from rich.console import Console

__all__ = ["Screen"]

WIDE = 400


class Screen(Console):
    """rich's console, without its liking for numbers and with our way to end a broken pipe."""

    def __init__(self) -> None:
        super().__init__(highlight=False)

    def widen(self) -> Screen:
        """Where nobody looks, a line is never folded: programs read it."""
        if not self.is_terminal:
            self.width = WIDE
        return self

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # rich would end the program with an error
