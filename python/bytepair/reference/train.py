"""Learn merges from many texts: first by counting everything anew, then by keeping counts.

Adds words (pretokens with their counts) to the first rung: a pair is counted once for each
different word, times the word's count. `recount` is the rule, `incremental` the same rule without
doing work twice; both give the same merges. Counting words can be spread over processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from multiprocessing import get_context

from bytepair.reference.bpe import BYTES, Pair, choose, get_stats, merge, to_bytes
from bytepair.reference.pretokenize import Pattern, split
from bytepair.reference.special import split_special

Words = dict[bytes, int]
Vocab = dict[int, bytes]
# (words, number of merges, ties, min_count, max_token_length) -> merges and all tokens
Method = Callable[[Words, int, str, int, int | None], tuple[dict[Pair, int], Vocab]]

BATCH_BYTES = 1 << 20


def count_pretokens(
    texts: Iterable[str | bytes],
    pattern: Pattern,
    special_tokens: tuple[str, ...] = (),
    processes: int = 1,
) -> Words:
    """How often each pretoken occurs, in order of first appearance, the same for any `processes`.

    Special tokens end a document: no pretoken crosses one, so documents can be counted apart.
    """
    batches = batched(documents(texts, special_tokens))
    count = partial(count_batch, pattern)
    words: Counter[bytes] = Counter()
    if processes == 1:
        for counts in map(count, batches):
            words.update(counts)
        return dict(words)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for counts in pool.map(count, batches):
            words.update(counts)
    return dict(words)


def documents(texts: Iterable[str | bytes], special_tokens: tuple[str, ...]) -> Iterator[bytes]:
    for text in texts:
        for piece, is_special in split_special(to_bytes(text), special_tokens):
            if not is_special:
                yield piece


def batched(pieces: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Groups whole documents, so that handing one to a process is worth its while."""
    batch: list[bytes] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def count_batch(pattern: Pattern, batch: list[bytes]) -> Counter[bytes]:
    return Counter(pretoken for piece in batch for pretoken in split(pattern, piece))


def recount(
    words: Words, merge_count: int, ties: str, min_count: int, max_token_length: int | None
) -> tuple[dict[Pair, int], Vocab]:
    """Counts all pairs in all words before each merge."""
    vocab = dict(BYTES)
    merges: dict[Pair, int] = {}
    spelled = {word: list(word) for word in words}
    for new in range(256, 256 + merge_count):
        counts: dict[Pair, int] = {}
        for word, symbols in spelled.items():
            for pair, times in get_stats(symbols).items():
                if fits(pair, vocab, max_token_length):
                    counts[pair] = counts.get(pair, 0) + times * words[word]
        best = max(counts.values(), default=0)
        if best < max(min_count, 1):
            break
        pair = choose((p for p in counts if counts[p] == best), vocab, ties)
        spelled = {word: merge(symbols, pair, new) for word, symbols in spelled.items()}
        merges[pair] = new
        vocab[new] = vocab[pair[0]] + vocab[pair[1]]
    return merges, vocab


def fits(pair: Pair, vocab: Vocab, max_token_length: int | None) -> bool:
    """Whether the pair's token would be short enough."""
    return max_token_length is None or len(vocab[pair[0]] + vocab[pair[1]]) <= max_token_length


def incremental(
    words: Words, merge_count: int, ties: str, min_count: int, max_token_length: int | None
) -> tuple[dict[Pair, int], Vocab]:
    """Counts all pairs once; then a merge touches only the words that hold its pair."""
    vocab = dict(BYTES)
    merges: dict[Pair, int] = {}
    spelled = [list(word) for word in words]
    weights = list(words.values())
    counts: dict[Pair, int] = {}
    holders: dict[Pair, set[int]] = {}  # pair -> the words that hold it, or once held it

    def add(index: int, sign: int) -> None:
        for pair, times in get_stats(spelled[index]).items():
            if fits(pair, vocab, max_token_length):
                counts[pair] = counts.get(pair, 0) + sign * times * weights[index]
                holders.setdefault(pair, set()).add(index)
                if not counts[pair]:
                    del counts[pair]

    for index in range(len(spelled)):
        add(index, +1)
    for new in range(256, 256 + merge_count):
        best = max(counts.values(), default=0)
        if best < max(min_count, 1):
            break
        tied = [pair for pair, count in counts.items() if count == best]
        if ties == "first":
            tied = [first_of(set(tied), spelled)]
        pair = choose(tied, vocab, ties)
        merges[pair] = new
        vocab[new] = vocab[pair[0]] + vocab[pair[1]]
        for index in holders.pop(pair):
            add(index, -1)
            spelled[index] = merge(spelled[index], pair, new)
            add(index, +1)
    return merges, vocab


def first_of(tied: set[Pair], spelled: list[list[int]]) -> Pair:
    """The one of the tied pairs that stands first in the words as they are spelled now."""
    pairs = (pair for symbols in spelled for pair in pairwise(symbols))
    return next(pair for pair in pairs if pair in tied)
