"""The whole story with output: `PYTHONPATH=python python -m bytepair.reference`."""

from __future__ import annotations

import time
from pathlib import Path

from bytepair.reference import BasicTokenizer, PatternTokenizer, get_stats, merge, split, trace
from bytepair.reference.trace import Done, Merge, Pretoken

CORPUS = Path(__file__).parent.parent / "texts" / "corpus.en"


def title(text: str) -> None:
    print(f"\n== {text} ==")


def show(tokens: list[bytes]) -> str:
    return " ".join(repr(token.decode("utf-8", "backslashreplace")) for token in tokens)


def text_is_bytes() -> None:
    title("Text is code points; files are bytes")
    text = "Hello, 世界! 🌍"
    print(f"{text!r}: {len(text)} characters")
    for encoding in ("utf-8", "utf-16", "utf-32"):
        print(f"  {encoding}: {len(text.encode(encoding))} bytes")
    for character in "世🌍":
        print(f"  {character} is code point {ord(character)}, bytes {list(character.encode())}")


def one_text() -> None:
    title("BPE on one text: join the commonest pair, five times")
    tokenizer = BasicTokenizer()
    text = "the cat in the hat sat on the mat"
    print(f"{text!r}: {len(text)} bytes")
    tokenizer.train(text, 256 + 5, verbose=True, ties="ids")
    title("Encoding applies the same rules in the same order")
    ids = tokenizer.encode("the hat on the cat", verbose=True)
    print(f"decoded: {tokenizer.decode(ids)!r}")


def pretokens() -> None:
    title("A pattern cuts pretokens; no merge crosses their borders")
    text = "I'll pay $1234.50 for the cat's   hat!!\n"
    for name in ("gpt2", "o200k"):
        print(f"{name}: {show(split(name, text.encode()))}")


def real_text() -> PatternTokenizer:
    title("Training on a real text")
    data = CORPUS.read_bytes()
    started = time.perf_counter()
    tokenizer = PatternTokenizer.train([data], 256 + 500 + 1, special_tokens=["<|endoftext|>"])
    seconds = time.perf_counter() - started
    print(f"{CORPUS.name}: {len(data)} bytes, 500 merges in {seconds:.1f} s")
    print("first ten tokens:", show([left + right for left, right in tokenizer.merges[:10]]))
    by_length = sorted(tokenizer.vocab, key=lambda number: (len(tokenizer.vocab[number]), number))
    print("longest tokens:", show([tokenizer.vocab[number] for number in by_length[-5:]]))
    ids = tokenizer.encode(data)
    print(f"encoded: {len(ids)} tokens, {len(data) / len(ids):.2f} bytes per token")
    print(f"decoded again, it is the same: {tokenizer.decode_bytes(ids) == data}")
    return tokenizer


def each_step(tokenizer: PatternTokenizer) -> None:
    title("Each step of encoding")
    for step in trace(tokenizer, " the information"):
        if isinstance(step, Pretoken):
            print(f"pretoken {show([step.data])}")
        if isinstance(step, Merge):
            print(f"  rule {step.rank:3} at {step.position}: {show(step.tokens)}")
        if isinstance(step, Done):
            print(f"  ids {step.ids}")


def special(tokenizer: PatternTokenizer) -> None:
    title("Special tokens are ordinary text until they are allowed")
    text = "end<|endoftext|>"
    print("by default:", tokenizer.encode(text))
    print("allowed:   ", tokenizer.encode(text, allowed_special="all"))


def characters() -> None:
    title("The same loops over Chinese characters")
    sentences = ("今天天气好", "今天去西安", "今天怎么样", "西安天气差")
    texts = [list(sentence) for sentence in sentences]
    print(f"{len(set(''.join(sentences)))} different characters")
    for _ in range(2):
        counts: dict[tuple[str, str], int] = {}
        for symbols in texts:
            get_stats(symbols, counts)
        pair = max(counts, key=lambda pair: counts[pair])
        texts = [merge(symbols, pair, "".join(pair)) for symbols in texts]
        print(f"{pair} occurs {counts[pair]} times:", " | ".join(map(" ".join, texts)))


def end_of_word() -> None:
    title("The same loops over words with an end mark")
    counts = {"low": 5, "lower": 2, "new": 6, "widest": 3}
    words = {word: [*word, "</w>"] for word in counts}
    rank = {mark: number for number, mark in enumerate([*sorted(set("".join(words))), "</w>"])}
    for _ in range(4):
        pairs: dict[tuple[str, str], int] = {}
        for word, symbols in words.items():
            for pair, times in get_stats(symbols).items():
                pairs[pair] = pairs.get(pair, 0) + times * counts[word]
        best = max(pairs, key=lambda pair: (pairs[pair], -rank[pair[0]], -rank[pair[1]]))
        rank[best[0] + best[1]] = len(rank)
        words = {word: merge(symbols, best, "".join(best)) for word, symbols in words.items()}
        print(f"{best} occurs {pairs[best]} times")


def main() -> None:
    text_is_bytes()
    one_text()
    pretokens()
    tokenizer = real_text()
    each_step(tokenizer)
    special(tokenizer)
    characters()
    end_of_word()


if __name__ == "__main__":
    main()
