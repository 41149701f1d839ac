"""Maximum matching and the most probable path, judged by their definitions and by jieba."""

from __future__ import annotations

import lzma
import re
import sys
import time
import warnings
from functools import cache
from itertools import accumulate, combinations, groupby
from math import isclose, log

import pytest
from effort import effort
from golden import FACTS
from hypothesis import given
from hypothesis import strategies as st

import bytepair
from bytepair.classic import DictionaryTokenizer, HybridTokenizer
from bytepair.classic.dictionary import METHODS
from bytepair.classic.maximum_matching import WINDOW
from bytepair.classic.word import unicode_words
from bytepair.texts import parallel

SENTENCE = FACTS["tokenizers_zh"]["text"]
WORDS = ["今天", "西安", "的", "天气", "怎么", "怎么样", "？"]
ALONE = re.compile("[a-zA-Z0-9]")
CHINESE = re.compile(r"[\u4e00-\u9fd5]+")

LISTS = st.lists(st.text("abc世", min_size=1, max_size=4), min_size=1, max_size=6)
TEXTS = st.text("abcd世", max_size=12)


def longest_from_the_left(words: set[str], text: str) -> list[str]:
    tokens, at = [], 0
    while at < len(text):
        sizes = [n for n in range(1, len(text) - at + 1) if text[at : at + n] in words]
        tokens.append(text[at : at + max(sizes, default=1)])
        at += len(tokens[-1])
    return tokens


@pytest.mark.parametrize("method", ["forward", "backward", "bidirectional", "frequency"])
def test_the_sentence(method):
    assert (
        DictionaryTokenizer(WORDS, method).tokens(SENTENCE)
        == FACTS["tokenizers_zh"]["by_dictionary"]
    )


def test_words_that_no_dictionary_has():
    tok = DictionaryTokenizer(WORDS)
    for new in ("犇", "𰻝", "绝绝子"):
        assert tok.tokens(f"今天{new}") == ["今天", *new]
        assert tok.unknowns(f"今天{new}") == list(new)
        assert tok.encode(new) == [0] * len(new)


def test_methods_differ():
    words, text = ["研究", "研究生", "生命", "的", "起源"], "研究生命的起源"
    right = ["研究", "生命", "的", "起源"]
    assert DictionaryTokenizer(words).tokens(text) == ["研究生", "命", "的", "起源"]
    assert DictionaryTokenizer(words, "backward").tokens(text) == right
    assert DictionaryTokenizer(words, "bidirectional").tokens(text) == right


@given(LISTS, TEXTS)
def test_forward_and_backward_are_maximum_matching(words, text):
    left = longest_from_the_left(set(words), text)
    backwards = {word[::-1] for word in words}
    right = [t[::-1] for t in reversed(longest_from_the_left(backwards, text[::-1]))]
    assert DictionaryTokenizer(words).tokens(text) == left
    assert DictionaryTokenizer(words, "backward").tokens(text) == right
    both = DictionaryTokenizer(words, "bidirectional").tokens(text)
    assert both in (left, right)
    singles = [sum(len(t) == 1 for t in tokens) for tokens in (right, left, both)]
    assert (len(both), singles[2]) == min((len(right), singles[0]), (len(left), singles[1]))


def test_of_equals_the_one_from_the_right():
    words = ["ab", "bc"]  # a|bc and ab|c: two tokens and one single character each
    assert DictionaryTokenizer(words, "bidirectional").tokens("abc") == ["a", "bc"]


@given(
    st.dictionaries(st.text("ab", min_size=1, max_size=3), st.integers(0, 50), min_size=1),
    st.text("abc", max_size=8),
)
def test_the_path_is_the_most_probable_of_all(counts, text):
    tokens = DictionaryTokenizer(counts, "frequency").tokens(text)
    assert "".join(tokens) == text
    known = {word: count for word, count in counts.items() if count}
    whole = log(sum(counts.values()) or 1)

    def worth(path: list[str]) -> float | None:
        """A character is allowed where no word begins."""
        total, at = 0.0, 0
        for token in path:
            begins = any(text.startswith(word, at) for word in known)
            if token in known:
                total += log(known[token]) - whole
            elif len(token) == 1 and not begins:
                total -= whole
            else:
                return None
            at += len(token)
        return total

    places = range(1, len(text))
    cuts = (c for n in range(len(text)) for c in combinations(places, n))
    paths = ([text[a:b] for a, b in zip((0, *c), (*c, len(text)), strict=True)] for c in cuts)
    worths = [w for path in paths if (w := worth(path)) is not None]
    if text:
        assert isclose(worth(tokens), max(worths), rel_tol=1e-9, abs_tol=1e-9)


@cache
def jieba_judge(with_words: bool = True):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own syntax and its packaging are of another time
        import jieba
    jieba.setLogLevel(60)
    judge = jieba.Tokenizer()
    if with_words:
        judge.initialize()
    return judge


def test_as_jieba_on_chinese(shared_chinese):
    tok, judge = bytepair.load("dict:jieba"), jieba_judge()
    assert tok.method == "frequency" and len(tok) == 349_046
    for part in shared_chinese:
        assert tok.tokens(part) == judge.lcut(part, HMM=False)


@pytest.fixture(scope="module")
def shared_chinese():
    """Runs of Chinese characters: jieba also joins letters and digits outside its dictionary."""
    languages = ("Chinese, Mandarin (Simplified)", "Chinese, Mandarin (Traditional)", "Japanese")
    text = "".join(parallel()[language] for language in languages) + SENTENCE
    return CHINESE.findall(text + "研究生命的起源绝绝子犇南京市长江大桥乒乓球拍卖完了")


def test_many_nested_words_take_linear_time():
    words = ["a" * n for n in range(1, 60)] + ["a" * 200 + "b"]
    text = "a" * 200_000
    assert len(DictionaryTokenizer(words).tokens(text)) == -(-200_000 // 59)
    by_frequency = DictionaryTokenizer(dict.fromkeys(words, 1), "frequency")
    assert sum(map(len, by_frequency.tokens(text[:20_000]))) == 20_000


@pytest.mark.parametrize(
    ("method", "length"),
    # Of the last one the automaton takes time to build that is quadratic in the longest word.
    [("forward", 100_000), ("backward", 100_000), ("bidirectional", 100_000), ("frequency", 5_000)],
)
def test_a_long_word_that_nearly_matches_everywhere_takes_linear_time(method, length):
    """A search that goes back after each word would read 10^10 characters here: minutes."""
    start = time.process_time()
    tok = DictionaryTokenizer(["a", "a" * length + "b", "b" + "a" * length], method)
    assert tok.count("a" * 100_000) == 100_000
    assert time.process_time() - start < 10


@pytest.mark.parametrize("method", ["forward", "backward"])
def test_words_across_the_windows_of_the_search(method):
    """With each length of text before it, so that every part of a word is where a window ends."""
    tok = DictionaryTokenizer(["abcde", "cd", "x"], method)
    for before in range(WINDOW - 6, WINDOW + 6):
        text = "x" * before + "abcdeabc"
        assert tok.tokens(text)[before:] == ["abcde", "a", "b", "c"]


@given(
    st.lists(st.tuples(st.text("今天气好西", min_size=1, max_size=4), st.integers(1, 3))),
    st.lists(st.sampled_from([*"今天气好西", "，", "a", "1", " ", "γ", "犇"]), max_size=60),
)
def test_as_jieba_with_any_dictionary(pairs, characters):
    """Few counts make many paths of equal worth, between which rounding decides."""
    words, text = {"今": 1, **dict(pairs)}, "".join(characters)
    judge = jieba_judge(False)
    judge.FREQ, judge.total, judge.initialized = dict(words), sum(words.values()), True
    for word in words:
        for size in range(1, len(word)):
            judge.FREQ.setdefault(word[:size], 0)
    tokens = DictionaryTokenizer(words, "frequency").tokens(text)
    assert joined(tokens) == judge.lcut(text, HMM=False)


def joined(tokens: list[str]) -> list[str]:
    """Letters and digits in a row as one token, as jieba has them."""
    found: list[str] = []
    for alone, group in groupby(tokens, lambda token: bool(ALONE.fullmatch(token))):
        some = list(group)
        found += ["".join(some)] if alone else some
    return found


def test_where_jieba_does_something_else():
    tok, judge = DictionaryTokenizer({"γ射线": 3, "射线": 3}, "frequency"), jieba_judge()
    assert tok.tokens("γ射线") == ["γ射线"] and judge.lcut("γ射线", HMM=False) == ["γ", "射线"]
    assert tok.tokens("ab\r\n") == [*"ab\r\n"]
    assert judge.lcut("ab\r\n", HMM=False) == ["ab", "\r\n"]


def test_as_jieba_on_a_corpus(shared):
    with lzma.open(shared / "corpora" / "chinese.txt.xz", "rt", encoding="utf-8") as file:
        text = file.read(effort(200_000, 5_000_000)).replace("\r\n", "\n")
    tokens = bytepair.load("dict:jieba").tokens(text)
    assert joined(tokens) == jieba_judge().lcut(text, HMM=False)


def test_names_say_the_method(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("\ufeff研究\n研究生\n生命\n起源\n", encoding="utf-8")
    for method in METHODS:
        tok = bytepair.load(f"dict-{method}:{path}")
        assert tok.method == method and tok.name == f"dict-{method}:{path}"
    assert bytepair.load(f"dict-backward:{path}").tokens("研究生命") == ["研究", "生命"]
    with pytest.raises(bytepair.UnknownNameError, match="`dict-bidirectional:`"):
        bytepair.load(f"dict-best:{path}")


def test_a_list_of_words_that_is_no_utf8(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes("one\n今天\n".encode("gbk"))
    with pytest.raises(bytepair.FormatError, match=r"words\.txt`, line 2: byte `\\xbd`"):
        bytepair.load(f"dict:{path}")


def test_files_of_words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("今天\n\n天气 \n", encoding="utf-8")
    assert bytepair.load(f"dict:{path}").method == "forward"
    path.write_text(
        "研究 10000 v\n研究生 900\n生命 5000\n命 300\n的 300000\n起源 800\n", encoding="utf-8"
    )
    tok = bytepair.load(f"dict:{path}")
    assert tok.method == "frequency" and tok.counts["研究"] == 10_000
    assert tok.tokens("研究生命的起源") == ["研究", "生命", "的", "起源"]
    path.write_text("一\n二 zwei\n", encoding="utf-8")
    with pytest.raises(bytepair.FormatError, match="line 2: `zwei` is no count"):
        bytepair.load(f"dict:{path}")


@pytest.mark.parametrize(
    "words, message",
    [
        ([""], "a word is empty"),
        ({"a": -1}, "`-1`"),
        ({"a": 1.5}, "`1.5`"),
        ({"a": True}, "`True`"),
    ],
)
def test_words_that_are_none(words, message):
    with pytest.raises(ValueError, match=message):
        DictionaryTokenizer(words)


def test_a_method_that_is_none():
    with pytest.raises(ValueError, match="method `best`"):
        DictionaryTokenizer(["a"], "best")


def test_empty_and_useless_dictionaries():
    for tok in (DictionaryTokenizer([]), DictionaryTokenizer({"ab": 0}, "frequency")):
        assert tok.tokens("ab") == ["a", "b"]
    assert HybridTokenizer([]).tokens("ab") == ["a", "b"]


def test_words_with_newlines_are_found():
    tok = DictionaryTokenizer({"a\nb": 5, "a": 1}, "frequency")
    assert tok.tokens("a\nb") == ["a\nb"]


def test_hybrid_spells_with_known_characters():
    tok = HybridTokenizer(["今天", "天气"], texts=["好"])
    assert tok.tokens("今天天气好气") == ["今天", "天气", "好", "气"]
    assert tok.unknowns("今气好犇") == ["犇"] and tok.decode(tok.encode("今气好")) == "今气好"
    assert [tok.token_bytes(id).decode() for id in range(len(tok))] == [
        "<UNK>",
        "今天",
        "天气",
        "今",
        "天",
        "气",
        "好",
    ]


@given(LISTS, st.text("abcd世 .", max_size=14))
def test_hybrid_is_maximum_matching_of_whole_words(words, text):
    places = {0, *accumulate(map(len, unicode_words()(text)))}
    tokens, at = [], 0
    while at < len(text):
        ends = [end for end in places if at in places and end > at and text[at:end] in words]
        tokens.append(text[at : max(ends, default=at + 1)])
        at += len(tokens[-1])
    assert HybridTokenizer(words).tokens(text) == tokens


@given(LISTS, TEXTS)
def test_hybrid_has_fewer_unknowns_than_the_dictionary(words, text):
    by_words, mixed = DictionaryTokenizer(words), HybridTokenizer(words)
    assert set(mixed.unknowns(text)) <= set(by_words.unknowns(text))


def test_hybrid_spells_what_is_no_whole_word():
    tok = HybridTokenizer(["the", "cat", "今天", "New York"], texts=[" log"])
    assert tok.tokens("the catalog") == ["the", " ", *"catalog"]
    assert tok.tokens("今天cat New York") == ["今天", "cat", " ", "New York"]
    assert tok.decode(tok.encode("the catalog")) == "the catalog"


def test_hybrid_by_name_knows_ascii(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("the\ncat\n", encoding="utf-8")
    text = "the cat, the dog: 42!\r\n"
    tok = bytepair.load(f"hybrid:{path}")
    assert tok.decode(tok.encode(text)) == text and tok.unknowns("é") == ["é"]


@pytest.mark.parametrize("module, extra", [("ahocorasick_rs", "classic")])
def test_without_a_library_the_extra_is_named(monkeypatch, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(bytepair.BytepairError, match=rf"bytepair\[{extra}\]"):
        DictionaryTokenizer(["a"])


def test_without_jieba_the_extra_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(bytepair.BytepairError, match=r"bytepair\[zh\]"):
        bytepair.load("dict:jieba")


@given(
    st.dictionaries(st.text("ab", min_size=1, max_size=5), st.integers(0, 50), min_size=1),
    st.text("abc\n", max_size=30),
)
def test_windows_change_nothing(counts, text):
    whole = DictionaryTokenizer(counts, "frequency").tokens(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bytepair.classic.dictionary.WINDOW", 3)
        assert DictionaryTokenizer(counts, "frequency").tokens(text) == whole


@pytest.mark.parametrize("end", ["\u2028", "\r\r", "\x0c", "\x85"])
def test_words_with_other_line_ends_are_found(end):
    tok = DictionaryTokenizer({f"a{end}b": 5, "a": 1, "b": 1}, "frequency")
    assert tok.tokens(f"a{end}b\na") == [f"a{end}b", "\n", "a"]


def test_one_text_is_no_list_of_words():
    with pytest.raises(TypeError, match="not one text"):
        DictionaryTokenizer("今天")
