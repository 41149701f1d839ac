"""How hard the tests try: a selection by default, everything with BYTEPAIR_EXHAUSTIVE=1."""

from __future__ import annotations

import os

from hypothesis import settings

#: Whether to take the whole of what the default run takes a selection of.
EXHAUSTIVE = os.environ.get("BYTEPAIR_EXHAUSTIVE", "") not in ("", "0")

#: How many times as many examples the exhaustive run takes.
MORE = 20

# A shared machine makes deadlines a lottery. `ci` takes the same examples every time, so that a
# red build means a change and not a new throw of the dice; daily work explores, and `exhaustive`
# explores for long.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile(
    "exhaustive", deadline=None, derandomize=False, max_examples=100 * MORE, print_blob=True
)


def profile() -> str:
    """The hypothesis profile to load: HYPOTHESIS_PROFILE, or what the effort asks for."""
    return os.environ.get("HYPOTHESIS_PROFILE", "exhaustive" if EXHAUSTIVE else "default")


def effort(usual: int, most: int | None = None) -> int:
    """A number of examples or samples: `usual` by default; `most` (or MORE times as many)
    in the exhaustive run.

    A test that sets `max_examples` itself scales it so: `@settings(max_examples=effort(30))`.
    """
    if not EXHAUSTIVE:
        return usual
    return usual * MORE if most is None else most
