"""The incremental trainer against a naive recount, subword-nmt's own and Hugging Face's."""

from __future__ import annotations

import io
import time
import warnings

import pytest
import tokenizers
from effort import effort
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt import learn_bpe
from tally import judging
from tokenizers import models, pre_tokenizers, trainers

from bytepair.classic import CharBPETokenizer
from bytepair.classic.charbpe_words import count_words, first_symbols, marked
from bytepair.errors import TrainingWarning
from bytepair.reference.bpe import TIES, get_stats, merge
from bytepair.texts import read

# Few letters make ties and overlaps; the letters of the mark make symbols that are spelled alike.
WORDS = st.dictionaries(
    st.one_of(
        *(st.text(letters, min_size=1, max_size=12) for letters in ("a", "ab", "abc", "今天气")),
        st.lists(st.sampled_from(["</w>", *"a</w>"]), min_size=1, max_size=6).map("".join),
        st.integers(1, 40).map("a".__mul__),
    ).filter(lambda word: count_words([word]) == {word: 1}),
    st.integers(1, 6),
    min_size=1,
    max_size=8,
)
MARKS = st.sampled_from([("</w>", False), ("</w>", True), (None, False), ("▁", False)])


def recounted(words, merges, end_of_word, glued, ties, min_count):
    """The rule: all pairs of all words are counted anew before each merge."""
    alphabet = sorted(set("".join(words)))
    ids = {name: id for id, name in enumerate(first_symbols(alphabet, end_of_word, glued))}
    spelled = {word: marked(word, end_of_word, glued) for word in words}
    learned = []
    while len(learned) < merges:
        counts: dict[tuple[str, str], int] = {}
        for word, symbols in spelled.items():
            for pair, times in get_stats(symbols).items():
                counts[pair] = counts.get(pair, 0) + times * words[word]
        best = max(counts.values(), default=0)
        if best < min_count:
            break
        tied = [pair for pair, count in counts.items() if count == best]
        pair = {
            "bytes": lambda tied: max(tied, key=lambda p: (p[0].encode(), p[1].encode())),
            "ids": lambda tied: max(tied, key=lambda p: (ids[p[0]], ids[p[1]])),
            "huggingface": lambda tied: min(tied, key=lambda p: (ids[p[0]], ids[p[1]])),
            "first": lambda tied: tied[0],
        }[ties](tied)
        learned.append((pair, best))
        ids.setdefault("".join(pair), len(ids))
        spelled = {w: merge(symbols, pair, "".join(pair)) for w, symbols in spelled.items()}
    return learned


@pytest.mark.parametrize("ties", TIES)
def test_as_by_counting_anew(ties):
    @settings(max_examples=effort(150))
    @given(WORDS, st.integers(0, 30), MARKS, st.sampled_from([1, 1, 2, 5]))
    def check(words, merges, mark, min_count):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TrainingWarning)
            tok = CharBPETokenizer.train(
                words, merges, end_of_word=mark[0], glued=mark[1], ties=ties, min_count=min_count
            )
        expected = recounted(words, merges, *mark, ties, min_count)
        assert [*zip(tok.merges, tok.counts, strict=True)] == expected

    check()


@pytest.mark.parametrize("ties", TIES)
def test_on_a_real_text(ties):
    text = read("corpus.en")[:20_000]
    tok = CharBPETokenizer.train([text], 150, ties=ties)
    expected = recounted(count_words([text]), 150, "</w>", False, ties, 1)
    assert [*zip(tok.merges, tok.counts, strict=True)] == expected


# ------------------------------------------------------------------ the originals


def learned_by_subword_nmt(text: str, merges: int, min_frequency: int) -> list[tuple[str, str]]:
    written = io.StringIO()
    lines = io.StringIO(text, newline="\n")
    lines.name = "text"
    learn_bpe.learn_bpe(lines, written, merges, min_frequency=min_frequency)
    header, *codes = written.getvalue().splitlines()
    assert header == "#version: 0.2"
    return [tuple(line.split(" ")) for line in codes]


def ours(text: str, merges: int, min_frequency: int) -> list[tuple[str, str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)
        return CharBPETokenizer.train([text], merges, glued=True, min_count=min_frequency).merges


@pytest.mark.parametrize("min_frequency", [1, 2, 30])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_the_merges_of_subword_nmt(min_frequency, capsys):
    text = read("corpus.en")
    with judging("merges of characters", "subword-nmt", "corpus.en") as tally:
        assert ours(text, 1_000, min_frequency) == learned_by_subword_nmt(
            text, 1_000, min_frequency
        )
        tally.add([text])


# Blanks and line ends alone: subword-nmt joins the symbols of a word with blanks and looks for
# pairs between what is white space to `re`, so that a tab inside a word misleads it.
LINES = st.lists(
    st.text(st.sampled_from([*"abcé今天\\.(", " ", " ", "\n"]), max_size=24), max_size=8
)


@settings(max_examples=effort(150))
@given(LINES, st.sampled_from([1, 2, 3]))
def test_the_merges_of_subword_nmt_on_few_letters(lines, min_frequency):
    text = "\n".join(lines)
    if any(len(word) > 1 for word in count_words([text])):
        assert ours(text, 20, min_frequency) == learned_by_subword_nmt(text, 20, min_frequency)


def test_the_merges_of_tokenizers():
    """Hugging Face's trainer, where no mark is glued on: it numbers those by chance."""
    text = " ".join(read("corpus.en").split())
    judge = tokenizers.Tokenizer(models.BPE())
    judge.pre_tokenizer = pre_tokenizers.Split(" ", "removed")
    alphabet = sorted(set(text) - {" "})
    trainer = trainers.BpeTrainer(vocab_size=len(alphabet) + 800, show_progress=False)
    judge.train_from_iterator([text], trainer)
    expected = sorted(judge.get_vocab().items(), key=lambda item: item[1])
    tok = CharBPETokenizer.train([text], 800, end_of_word=None, ties="huggingface")
    assert [name for name, _ in expected] == [*alphabet, *map("".join, tok.merges)]


# ------------------------------------------------------------------ options


def test_where_training_ends():
    with pytest.warns(TrainingWarning, match="ended at 3 of 9 merges: no pair is left"):
        tok = CharBPETokenizer.train({"abc": 1}, 9)
    assert len(tok.merges) == 3
    with pytest.warns(TrainingWarning, match="ended at 1 of 9 merges: no pair occurs 2 times"):
        tok = CharBPETokenizer.train({"ab": 1, "bc": 2}, 9, end_of_word=None, min_count=2)
    assert tok.merges == [("b", "c")] and tok.counts == [2]
    assert CharBPETokenizer.train([], 0).merges == []
    with pytest.warns(TrainingWarning, match="0 of 1"):
        assert CharBPETokenizer.train([""], 1).merges == []


@pytest.mark.parametrize(
    ("words", "options", "error", "message"),
    [
        (["a"], {"merges": -1}, ValueError, "merges `-1`"),
        (["a"], {"min_count": 0}, ValueError, "min_count `0`"),
        (["a"], {"ties": "last"}, ValueError, "unknown tie rule `last`; choose one of bytes"),
        (["a"], {"end_of_word": None, "glued": True}, ValueError, "glued=True needs a mark"),
        (["a"], {"end_of_word": ""}, ValueError, "end_of_word"),
        (["a"], {"end_of_word": "a b"}, ValueError, "end_of_word"),
        (["a"], {"end_of_word": "\ud83c"}, ValueError, "end_of_word"),
        ("a b", {}, TypeError, "not one text"),
        ({"a b": 1}, {}, ValueError, "is no word"),
        ({"a\n": 1}, {}, ValueError, "is no word"),
        ({"": 1}, {}, ValueError, "is no word"),
        ({"a": -1}, {}, ValueError, "the count of `a` is `-1`"),
        ({"a": 1 << 63}, {}, ValueError, "2\\^63"),
        ({"a": 1.5}, {}, TypeError, "no whole number: `1.5`"),
        ({b"a": 1}, {}, TypeError, "a word is a `str`"),
    ],
)
def test_what_is_refused(words, options, error, message):
    with pytest.raises(error, match=message):
        CharBPETokenizer.train(words, **{"merges": 1, **options})


def test_words_that_do_not_occur():
    with_none, without = ({"ba": 0, "ab": 2} if zero else {"ab": 2} for zero in (True, False))
    made = [CharBPETokenizer.train(words, 2, ties="first") for words in (with_none, without)]
    assert made[0] == made[1]
    assert count_words({"\ud83c\udf0d": 1, "🌍": 2}) == {"🌍": 3}


def test_no_quadratic_time():
    """One word of 300,000 characters: a merge goes to the places of its pair alone."""
    text = "".join(read("corpus.en").split())
    text = (text * 4)[:300_000]
    started = time.process_time()
    tok = CharBPETokenizer.train([text], 2_000, end_of_word=None)
    assert time.process_time() - started < 20  # a second
    assert len(tok.merges) == 2_000
