"""Patches that begin where the next byte is hard to foresee.

What it adds to patches by rule: the cuts follow the text. Inside a word the next byte is easy to
foresee, at its beginning hard; a dull stretch becomes one long patch. What it costs: a model of
bytes has to be made first, and its threshold means nothing by itself.

This is entropy patching with an n-gram model. The rules are those of the Byte Latent Transformer
(Pagnoni and others, 2024), whose entropies come from a network of 100 million parameters; its
thresholds do not fit a model that only counts, for which everything is more uncertain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self

import numpy as np

from bytepair.arguments import Text
from bytepair.classic.base import as_bytes, read_file, several
from bytepair.classic.byte_model import ByteModel, Floats
from bytepair.classic.patches import Patcher

__all__ = ["EntropyPatcher", "Rule", "patch_starts"]

Rule = Literal["global", "monotonic"]
RULES = ("global", "monotonic")


def patch_starts(entropies: Iterable[float], threshold: float, rule: Rule = "global") -> list[int]:
    """Where patches begin, from the entropy of what was foreseen in the place of each byte.

    ``"global"``: where it is above the threshold. ``"monotonic"``: where it is above that of the
    byte before by more than the threshold. The first byte always begins one.

    >>> patch_starts([5.0, 0.5, 2.0, 0.1, 2.5], 1.5)
    [0, 2, 4]
    >>> patch_starts([5.0, 0.5, 2.0, 0.1, 2.5], 2.0, "monotonic")
    [0, 4]
    """
    values = np.asarray(list(entropies) if not isinstance(entropies, np.ndarray) else entropies)
    if not len(values):
        return []
    found = np.flatnonzero(surprises(values, rule)[1:] > threshold) + 1
    return [0, *found.tolist()]


def surprises(entropies: Floats, rule: Rule) -> Floats:
    """What is compared with the threshold."""
    if rule not in RULES:
        raise ValueError(f"rule `{rule}`: one of {', '.join(RULES)}")
    return entropies if rule == "global" else np.diff(entropies, prepend=entropies[:1])


class EntropyPatcher(Patcher):
    """Patches by a model of bytes and a threshold in nats.

    >>> from bytepair.texts import read
    >>> patcher = EntropyPatcher.train([read("corpus.en")], target_size=4.5)
    >>> patcher.tokens("the information")
    [b'the ', b'information']
    """

    kind = "entropy"

    def __init__(self, model: ByteModel, threshold: float, *, rule: Rule = "global") -> None:
        surprises(np.zeros(0), rule)
        self.model = model
        self.threshold = float(threshold)
        if not np.isfinite(self.threshold):
            raise ValueError(f"threshold `{threshold}`: a number of nats")
        self.rule: Rule = rule

    @classmethod
    def train(
        cls,
        texts: Iterable[Text],
        *,
        order: int = 4,
        target_size: float = 4.5,
        threshold: float | None = None,
        rule: Rule = "global",
        reset_at_newlines: bool = False,
        held_out: float = 0.1,
    ) -> Self:
        """A model of the texts' bytes, and the threshold at which patches have a mean of
        ``target_size`` bytes.

        The last part of the texts, ``held_out`` of their bytes, is kept from the model, and the
        threshold is set on it: on text that the model has counted everything looks foreseen.
        ``threshold`` sets it to a value instead. ``order`` is the number of bytes, up to 7, that
        contexts have; with ``reset_at_newlines`` they begin anew at each newline.
        """
        if not target_size >= 1:
            raise ValueError(f"target_size `{target_size}`: at least 1 byte")
        if not 0 <= held_out < 1:
            raise ValueError(f"held_out `{held_out}`: a share from 0 up to 1")
        data = b"".join(map(as_bytes, several(texts)))
        kept = len(data) - int(len(data) * held_out)
        model = ByteModel.of(data[:kept], order, reset_at_newlines=reset_at_newlines)
        if threshold is None:
            entropies = model.entropies(data[kept:] or data)
            threshold = calibrated(surprises(entropies, rule)[1:], target_size)
        return cls(model, threshold, rule=rule)

    def starts(self, data: Text) -> list[int]:
        return patch_starts(self.entropies(data), self.threshold, self.rule)

    def entropies(self, text: Text) -> Floats:
        """For each byte the entropy of what was foreseen in its place, in nats."""
        return self.model.entropies(as_bytes(text))

    def bits_per_byte(self, text: Text) -> float:
        """How well the model foresees a text: the mean of −log2 P of its bytes. Print it beside any
        threshold."""
        return self.model.bits_per_byte(as_bytes(text))

    def state(self) -> dict[str, Any]:
        return {"threshold": self.threshold, "rule": self.rule, "model": self.model.state()}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        if not isinstance(state["model"], Mapping):
            raise ValueError("`model` is no object")
        return cls(ByteModel.from_state(state["model"]), state["threshold"], rule=state["rule"])

    @classmethod
    def from_argument(cls, argument: str) -> EntropyPatcher:
        """``entropy:corpus.txt``: a model of that file, patches of 4.5 bytes."""
        return cls.train([read_file(argument, cls.kind, "a corpus")])


def calibrated(surprises: Floats, target_size: float) -> float:
    """The threshold above which so many are that patches have the wanted mean size."""
    if not len(surprises):
        return 0.0
    size = len(surprises) + 1  # the first byte begins a patch in any case
    wanted = round(size / target_size) - 1
    falling = np.sort(surprises)[::-1]
    if wanted >= len(falling):
        return float(falling[-1]) - 1.0
    if wanted <= 0:
        return float(falling[0])
    # Between two that occur: on one of them the last digit of a machine would decide.
    return float(falling[wanted - 1] + falling[wanted]) / 2
