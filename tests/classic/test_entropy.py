"""The model of bytes against its definition, and patches by entropy against their rules."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bytepair
from bytepair.classic import EntropyPatcher
from bytepair.classic.byte_model import ByteModel, shrunk
from bytepair.classic.entropy import patch_starts
from bytepair.classic.patch_metrics import first_change, rising_share
from bytepair.texts import read

DATA = st.text("abc \n", max_size=24).map(str.encode) | st.binary(max_size=12)


class SlowModel:
    """Witten and Bell's rule as it is written, one dictionary for each context."""

    def __init__(self, data: bytes, order: int, reset: bool) -> None:
        self.order, self.reset = order, reset
        self.counts: dict[bytes, Counter[int]] = {}
        for at, byte in enumerate(data):
            for context in self.contexts(data, at):
                self.counts.setdefault(context, Counter())[byte] += 1

    def contexts(self, data: bytes, at: int) -> list[bytes]:
        begin = data.rfind(b"\n", 0, at) if self.reset else 0
        reach = min(self.order, at - max(begin, 0))
        return [data[at - length : at] for length in range(reach + 1)]

    def probabilities(self, data: bytes, at: int) -> np.ndarray:
        mixed = np.full(256, 1 / 256)
        for context in self.contexts(data, at):
            if followers := self.counts.get(context):
                counts = np.array([followers[byte] for byte in range(256)])
                mixed = (counts + len(followers) * mixed) / (followers.total() + len(followers))
        return mixed


@given(DATA, DATA, st.integers(0, 4), st.booleans())
def test_the_model_is_its_definition(known, data, order, reset):
    model = ByteModel.of(known, order, reset_at_newlines=reset)
    slow = SlowModel(known, order, reset)
    foreseen = [slow.probabilities(data, at) for at in range(len(data))]
    expected = [-(p * np.log(p)).sum() for p in foreseen]
    assert np.allclose(model.entropies(data), expected)
    bits = [-np.log2(p[byte]) for p, byte in zip(foreseen, data, strict=True)]
    assert model.bits_per_byte(data) == pytest.approx(np.mean(bits) if bits else 0)


@pytest.mark.parametrize("order", [0, 1, 4, 7])
def test_the_model_of_a_real_text(order):
    data = read("corpus.en").encode()[:60_000]
    model, slow = ByteModel.of(data[:50_000], order), SlowModel(data[:50_000], order, False)
    found = model.entropies(data)
    assert len(found) == len(data) and found.max() <= np.log(256)
    for at in range(0, len(data), 97):
        foreseen = slow.probabilities(data, at)
        assert foreseen.sum() == pytest.approx(1)
        assert found[at] == pytest.approx(-(foreseen * np.log(foreseen)).sum(), abs=1e-9)


@given(DATA, st.integers(0, 7), st.booleans())
def test_a_model_is_saved_whole(known, order, reset):
    model = ByteModel.of(known, order, reset_at_newlines=reset)
    twin = ByteModel.from_state(json.loads(json.dumps(model.state())))
    assert np.array_equal(twin.entropies(known), model.entropies(known))
    assert twin.contexts == model.contexts and twin.order == order


def test_orders_that_are_none():
    for order in (-1, 8):
        with pytest.raises(ValueError, match=f"order `{order}`"):
            ByteModel.of(b"a", order)


def slow_patch_starts(entropies, threshold, rule):
    starts = []
    for at, entropy in enumerate(entropies):
        rise = entropy if rule == "global" else entropy - entropies[at - 1]
        if at == 0 or rise > threshold:
            starts.append(at)
    return starts


@given(
    st.lists(st.floats(0, 6), max_size=20),
    st.floats(-1, 6),
    st.sampled_from(["global", "monotonic"]),
)
def test_the_rules(entropies, threshold, rule):
    assert patch_starts(entropies, threshold, rule) == slow_patch_starts(entropies, threshold, rule)


def test_the_rule_on_entropies_like_the_papers():
    """Its figure has 81 places, with marks of begin and end, 23 patches at the threshold of its own
    model. Ours has no such marks: the place of the first byte stands for that of the first mark."""
    starts = [0, 1, 2, 3, 4, 5, 20, 23, 26, 27, 28, 31, 43, 44, 45, 46, 47, 48, 53, 58, 59, 61, 62]
    entropies = np.full(81, 0.3)
    entropies[starts] = 1.335442066192627 + 1e-9
    assert patch_starts(entropies, 1.335442066192627) == starts
    assert round(81 / len(starts), 2) == 3.52


@pytest.mark.parametrize(
    "rule, length",
    [("global", 23), ("monotonic", 12)],
)
def test_the_rules_as_the_original_runs_them(rule, length):
    """Its mark of the beginning and the first byte are patches of their own; on the places behind,
    the rule runs as here, and the first of these begins a patch since nothing is before it to rise
    from. The numbers of patches are those of the figure (`plot_data/entropy_figure.json` of
    facebookresearch/blt, CC BY-NC); the entropies are made up."""
    threshold = 1.335442066192627
    high = {2, 3, 4, 5, 20, 23, 26, 27, 28, 31, 43, 44, 45, 46, 47, 48, 53, 58, 59, 61, 62}
    rising = {20, 23, 26, 31, 43, 45, 53, 58, 61}
    entropies, before = np.zeros(81), 0.0
    for at in range(2, 81):
        # A jump beyond the threshold, a step below it, or a fall.
        before = before + 1.4 if at in rising else max(before, 1.5) if at in high else 0.2
        entropies[at] = before
    starts = [0, 1, *(2 + at for at in patch_starts(entropies[2:], threshold, rule))]
    assert starts == [0, 1, *sorted(high if rule == "global" else {2} | rising)]
    assert len(starts) == length


def test_a_rule_that_is_none():
    with pytest.raises(ValueError, match="rule `best`"):
        patch_starts([1.0], 1, "best")


@cache
def trained(**options) -> EntropyPatcher:
    return EntropyPatcher.train([read("corpus.en")], **options)


@pytest.mark.parametrize("rule", ["global", "monotonic"])
@pytest.mark.parametrize("target", [3.0, 4.5, 8.0])
def test_the_threshold_is_set_to_the_size(rule, target):
    patcher = trained(target_size=target, rule=rule)
    data = read("corpus.en").encode()
    held_out = data[len(data) - len(data) // 10 :]
    assert len(held_out) / patcher.count(held_out) == pytest.approx(target, rel=0.02)


def test_what_it_foresees_is_cut_less():
    patcher = trained()
    assert patcher.tokens("the information") == [b"the ", b"information"]
    assert patcher.bits_per_byte(read("corpus.en")[-10_000:]) < 4
    assert patcher.bits_per_byte("Ξενοφῶν") > 8


def test_a_higher_threshold_gives_fewer_patches():
    text = read("corpus.en")[-20_000:]
    counts = [trained(threshold=t).count(text) for t in (1.0, 1.335, 2.0, 2.5)]
    assert counts == sorted(counts, reverse=True) and counts[0] > 2 * counts[-1]


@given(st.text("thea \nin世", max_size=20))
def test_the_beginning_does_not_change(text):
    for patcher in (trained(), trained(rule="monotonic"), trained(reset_at_newlines=True)):
        assert first_change(patcher, text.encode()) is None
        assert b"".join(patcher.tokens(text)) == text.encode()


def test_lines_are_cut_alike_when_contexts_end_at_newlines():
    patcher = trained(reset_at_newlines=True)
    line = "the information about distribution\n"
    sizes = [len(patch) for patch in patcher.tokens(line * 3)]
    first, again = patcher.starts(line * 2), patcher.starts(line * 3)
    assert sum(sizes) == 3 * len(line) and again[: len(first)] == first
    second = [at - len(line) for at in again if len(line) < at < 2 * len(line)]
    third = [at - 2 * len(line) for at in again if at > 2 * len(line)]
    assert second == third


def test_inside_a_monotonic_patch_nothing_rises():
    patcher = trained(rule="monotonic")
    text = read("corpus.en")[-5_000:]
    assert rising_share(patcher, text, patcher.threshold) == 0
    assert rising_share(trained(), text, 0.0) > 10
    assert rising_share(patcher, "", 0.0) == 0


def test_saved_and_loaded(tmp_path):
    patcher, path = trained(), tmp_path / "patcher.json"
    patcher.save(path)
    loaded = bytepair.load(path)
    assert loaded == patcher and loaded.starts(read("corpus.en")) == patcher.starts(
        read("corpus.en")
    )
    assert path.stat().st_size < 300_000
    content = json.loads(path.read_text(encoding="utf-8"))
    falling, one_each = shrunk(np.array([9, 2**64 - 1], np.uint64)), shrunk(np.ones(2, np.uint64))
    for damage in (
        {"threshold": "x"},
        {"threshold": float("inf")},
        {"rule": "best"},
        {"model": None},
        {"model": {**content["model"], "levels": []}},
        {"model": {**content["model"], "levels": [["", ""]]}},
        {"model": {**content["model"], "levels": [["x", "y"]]}},
        {"model": {**content["model"], "levels": content["model"]["levels"] * 3}},
        {"model": {**content["model"], "levels": content["model"]["levels"][::-1]}},
        {"model": {**content["model"], "levels": content["model"]["levels"][1:]}},
        {"model": {**content["model"], "levels": [[falling, one_each]]}},
    ):
        path.write_text(json.dumps({**content, **damage}), encoding="utf-8")
        with pytest.raises(bytepair.FormatError, match=r"patcher\.json"):
            bytepair.load(path)


def test_by_name(tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(read("corpus.en"), encoding="utf-8")
    assert bytepair.load(f"entropy:{corpus}") == trained()


def test_tiny_and_wrong_input():
    for texts in ([], [""], ["a"], ["ab"]):
        patcher = EntropyPatcher.train(texts)
        assert patcher.tokens("") == [] and b"".join(patcher.tokens("abc")) == b"abc"
    with pytest.raises(TypeError, match="put it into a list"):
        EntropyPatcher.train("text")
    for wrong in (
        {"target_size": 0.5},
        {"held_out": 1.0},
        {"order": 9},
        {"threshold": float("nan")},
    ):
        with pytest.raises(ValueError):
            EntropyPatcher.train(["abc"], **wrong)


def test_the_given_text(shared):
    """The figures of a prototype in plain Python on the same text, which is not in the package."""
    data = (shared / "golden" / "botchan.txt").read_bytes()
    known, held_out = data[:-30_000], data[-30_000:]
    models = {order: ByteModel.of(known, order) for order in (2, 4, 6)}
    # The prototype counts the empty context, too.
    contexts = {order: model.contexts + 1 for order, model in models.items()}
    assert contexts == {2: 1_415, 4: 34_278, 6: 183_939}
    bits = {order: round(model.bits_per_byte(held_out), 2) for order, model in models.items()}
    assert bits == {2: 3.56, 4: 3.06, 6: 3.26}
    entropies = models[4].entropies(held_out)
    sizes = [len(held_out) / len(patch_starts(entropies, t)) for t in (1.0, 1.335, 2.0, 2.5)]
    assert [round(size, 2) for size in sizes] == [1.62, 2.24, 4.71, 8.68]
    rising = [
        len(held_out) / len(patch_starts(entropies, t, "monotonic")) for t in (0.5, 1.0, 1.335)
    ]
    assert [round(size, 2) for size in rising] == [3.22, 5.10, 6.98]
    for name, size in {"cl100k_base": 4.40, "space": 5.82}.items():
        assert round(len(held_out) / bytepair.load(name).count(held_out), 2) == size


def test_a_file_of_any_bytes_is_a_corpus(tmp_path):
    corpus = tmp_path / "corpus.bin"
    corpus.write_bytes(bytes(range(256)) * 20)
    assert bytepair.load(f"entropy:{corpus}").model.levels[1].seen.sum() == 20 * 256 * 0.9 - 1


def test_a_level_that_unpacks_without_end_is_refused(monkeypatch):
    state = ByteModel.of(b"abc" * 100, 2).state()
    monkeypatch.setattr("bytepair.classic.byte_model.LARGEST", 8)
    with pytest.raises(ValueError, match="more than 8 bytes"):
        ByteModel.from_state(state)
