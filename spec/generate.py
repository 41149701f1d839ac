"""Write spec/vectors/*.jsonl from the reference; spec/README.md explains each field.

python spec/generate.py            write the files
python spec/generate.py --check    exit 1 if a file is not current
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "python")]

import cases  # noqa: E402  (it lies beside this file)

from bytepair.reference import PatternTokenizer, split, split_special  # noqa: E402
from bytepair.reference.bpe import to_bytes  # noqa: E402
from bytepair.reference.pattern import unicode_class, union, write  # noqa: E402
from bytepair.reference.pretokenize import NAMED, stages  # noqa: E402

Line = dict[str, Any]

# Marks, controls and blanks are written as escapes, so that what a reader sees is what is there.
INVISIBLE = re.compile(write(union(*((unicode_class(name) or []) for name in "CMZ"))))


def escape(match: re.Match[str]) -> str:
    character = match.group()
    return character if character == " " else json.dumps(character)[1:-1]


def to_json(line: Line) -> str:
    return INVISIBLE.sub(escape, json.dumps(line, ensure_ascii=False)) + "\n"


def written(data: bytes) -> str | dict[str, str]:
    """Bytes: a string where they are UTF-8, else {"hex": …}."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"hex": data.hex()}


def written_text(text: str | bytes) -> str | dict[str, Any]:
    """A text: as `written`, or {"utf16": […]} where it has surrogates, which UTF-8 cannot hold."""
    try:
        return written(text.encode() if isinstance(text, str) else text)
    except UnicodeEncodeError:
        units = str(text).encode("utf-16-le", "surrogatepass")
        return {
            "utf16": [int.from_bytes(units[n : n + 2], "little") for n in range(0, len(units), 2)]
        }


def pretokenize_lines() -> Iterator[Line]:
    every_text = [*cases.TEXTS, *cases.RUNS, *cases.ILL_FORMED]
    named = [(name, stages, every_text) for name, stages in NAMED.items()]
    for name, regexes, texts in [*named, *cases.PATTERNS]:
        yield {"kind": "pattern", "name": name, "stages": regexes}
        for text in texts:
            pretokens = [written(pretoken) for pretoken in split(regexes, to_bytes(text))]
            yield {
                "kind": "case",
                "pattern": name,
                "text": written_text(text),
                "pretokens": pretokens,
            }


def special_lines() -> Iterator[Line]:
    for special_tokens, texts in cases.SPECIAL:
        for text in texts:
            pieces = split_special(to_bytes(text), special_tokens)
            yield {
                "kind": "case",
                "special_tokens": special_tokens,
                "text": written_text(text),
                "pieces": [[written(piece), is_special] for piece, is_special in pieces],
            }


def tokenizer(made: dict[str, Any]) -> PatternTokenizer:
    """Builds the tokenizer that a "tokenizer" line describes."""
    first = made.get("first_byte", 0)
    order = made.get("byte_order", bytes(range(256)))
    single = {first + place: bytes([byte]) for place, byte in enumerate(order)}
    options = {
        name: made[name]
        for name in ("pattern", "special_tokens", "normalization", "ignore_merges")
        if name in made
    }
    if "ranks" in made:
        ranks = {token: rank for rank, token in single.items()} | made["ranks"]
        return PatternTokenizer.from_ranks(ranks, **options)
    longer = made.get("vocab") or {
        256 + place: left + right for place, (left, right) in enumerate(made["merges"])
    }
    return PatternTokenizer.from_merges(made["merges"], single | longer, **options)


def tokenizer_line(name: str, made: dict[str, Any]) -> Line:
    line: Line = {"kind": "tokenizer", "name": name}
    if "ranks" in made:
        line["ranks"] = [[token.hex(), rank] for token, rank in made["ranks"].items()]
    else:
        line["merges"] = [[left.hex(), right.hex()] for left, right in made["merges"]]
        vocab = made.get("vocab")
        line["vocab"] = (
            [[number, token.hex()] for number, token in vocab.items()] if vocab else None
        )
    order = made.get("byte_order")
    return line | {
        "byte_order": order.hex() if order else None,
        "first_byte": made.get("first_byte", 0),
        "stages": stages(made["pattern"]) or None,
        "special_tokens": made.get("special_tokens", {}),
        "normalization": made.get("normalization"),
        "ignore_merges": made.get("ignore_merges", False),
    }


def encode_lines() -> Iterator[Line]:
    for name, made, texts in cases.TOKENIZERS:
        encoder = tokenizer(made)
        yield tokenizer_line(name, made)
        allowed_sets: list[Any] = [[]]
        if encoder.special_tokens:
            allowed_sets += ["all", [next(iter(encoder.special_tokens))]]
        for text in texts:
            for allowed in allowed_sets:
                yield {
                    "kind": "case",
                    "tokenizer": name,
                    "text": written_text(text),
                    "allowed_special": allowed,
                    "ids": encoder.encode(text, allowed),
                }


def decode_lines() -> Iterator[Line]:
    used = {name for name, _ in cases.DECODE}
    decoders = {name: tokenizer(made) for name, made, _ in cases.TOKENIZERS if name in used}
    for name, made, _ in cases.TOKENIZERS:
        if name in used:
            yield tokenizer_line(name, made)
    for name, ids in cases.DECODE:
        decoder = decoders[name]
        known = decoder.vocab.keys() | set(decoder.special_tokens.values())
        unknown = [position for position, number in enumerate(ids) if number not in known]
        line: Line = {"kind": "case", "tokenizer": name, "ids": ids}
        if unknown:
            yield line | {"kind": "error", "position": unknown[0]}
        else:
            yield line | {"bytes": decoder.decode_bytes(ids).hex(), "text": decoder.decode(ids)}


def train_lines() -> Iterator[Line]:
    for name, texts in cases.CORPORA.items():
        yield {"kind": "corpus", "name": name, "texts": [written_text(text) for text in texts]}
    for corpus, all_ties, given in cases.TRAIN:
        for ties in all_ties:
            yield train_line(corpus, ties, given)


def train_line(corpus: str, ties: str, given: dict[str, Any]) -> Line:
    options: Line = {
        "pattern": "gpt2",
        "special_tokens": [],
        "special_first": False,
        "min_count": 1,
        "max_token_length": None,
    } | given
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trained = PatternTokenizer.train(cases.CORPORA[corpus], ties=ties, **options)
    reached = len(trained.vocab) + len(trained.special_tokens)
    options["stages"] = stages(options.pop("pattern")) or None
    return {"kind": "case", "corpus": corpus, "ties": ties, **options} | {
        "merges": [[left.hex(), right.hex()] for left, right in trained.merges],
        "first_byte": trained.ids[b"\x00"],
        "special_ids": trained.special_tokens,
        "stopped_early": reached < options["vocab_size"],
    }


FILES = {
    "pretokenize.jsonl": pretokenize_lines,
    "special.jsonl": special_lines,
    "encode.jsonl": encode_lines,
    "decode.jsonl": decode_lines,
    "train.jsonl": train_lines,
}


def text_of(lines: Iterable[Line]) -> str:
    return "".join(map(to_json, lines))


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the vectors from the reference.")
    parser.add_argument("--check", action="store_true", help="write nothing; compare")
    arguments = parser.parse_args()
    stale = []
    for name, lines in FILES.items():
        path = HERE / "vectors" / name
        content = text_of(lines())
        if not arguments.check:
            path.write_text(content, encoding="utf-8", newline="\n")
        elif not path.exists() or path.read_text(encoding="utf-8") != content:
            stale.append(path.name)
    for name in stale:
        print(f"error: `spec/vectors/{name}` is not current", file=sys.stderr)
    if stale:
        print("hint: run python spec/generate.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
