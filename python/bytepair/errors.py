"""What bytepair raises.

```
BytepairError
├── VocabError         (ValueError)   a vocabulary that contradicts itself; a token or id not in it
├── FormatError        (ValueError)   a file that cannot be read, or cannot hold a tokenizer
├── PatternError       (ValueError)   a pattern that does not compile, or takes too long on a text
├── SpecialTokenError  (ValueError)   special tokens that clash, or that a text must not hold
├── UnknownNameError   (LookupError)  no tokenizer of that name
└── HubError           (OSError)      a repository that cannot be reached
TrainingWarning        (UserWarning)  training ended before it had the size asked for
```

Every message has the value in backticks, where it was, and what to do about it. Advice that goes
beyond the message is in ``hint``.
"""

from __future__ import annotations

__all__ = [
    "BytepairError",
    "FormatError",
    "HubError",
    "PatternError",
    "SpecialTokenError",
    "TrainingWarning",
    "UnknownNameError",
    "VocabError",
]


class BytepairError(Exception):
    """The root of all errors that bytepair raises on purpose.

    ``hint`` says what to do, where the message alone does not; it is part of ``str(error)`` too.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"


class VocabError(BytepairError, ValueError):
    """A vocabulary that does not hold together, or a token or id that is not in it."""


class FormatError(BytepairError, ValueError):
    """A file that cannot be read, or a format that cannot hold a tokenizer."""


class PatternError(BytepairError, ValueError):
    """A pattern that does not compile, or takes too long on a text."""


class SpecialTokenError(BytepairError, ValueError):
    """Special tokens that clash with others, or that a text must not hold."""


class UnknownNameError(BytepairError, LookupError):
    """No tokenizer has this name."""


class HubError(BytepairError, OSError):
    """A repository that cannot be reached."""


class TrainingWarning(UserWarning):
    """Training ended before it had the size asked for; the message names the size reached."""
