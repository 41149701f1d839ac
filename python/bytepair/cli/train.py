"""Train a tokenizer on files and save it.

The suffix of OUT says as what: .json (tokenizer.json) or .tiktoken. The size
counts everything: 256 bytes, special tokens, merges. What was understood, the
progress and a summary go to stderr.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from bytepair.cli import words
from bytepair.cli.options import whole_number
from bytepair.cli.streams import STDIN, print_json, standard_input
from bytepair.errors import BytepairError, FormatError, VocabError

if TYPE_CHECKING:
    from bytepair.sources import Files
    from bytepair.tokenizer import Tokenizer
    from bytepair.training import Counts

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "learn a tokenizer from files"
SUFFIXES = (".json", ".tiktoken")
NO_PATTERN = "none"
FILES_NAMED = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", help="the texts; `-`: stdin")
    add("-o", "--output", metavar="OUT", required=True, help="the file to save the tokenizer in")
    add(
        "--vocab-size",
        metavar="N",
        type=whole_number(0),
        required=True,
        help="256 bytes + special tokens + merges",
    )
    add(
        "--pattern",
        metavar="P",
        action="append",
        help="cuts the text before merging: a name (gpt2, cl100k, o200k …) or a regular "
        "expression, given again for each further stage; `none`: no cuts (default: gpt2)",
    )
    add(
        "--special-token",
        metavar="T",
        action="append",
        default=[],
        help="kept whole and never part of a merge; may be given more than once",
    )
    add("--special-first", action="store_true", help="give special tokens the first ids")
    add(
        "--ties",
        metavar="RULE",
        choices=("bytes", "ids", "first", "huggingface"),
        default="bytes",
        help="which of equally frequent pairs is merged: bytes, ids, first or huggingface "
        "(default: bytes)",
    )
    add(
        "--min-count",
        metavar="N",
        type=whole_number(1),
        default=1,
        help="stop at pairs that are rarer (default: 1)",
    )
    add("--max-token-length", metavar="N", type=whole_number(1), help="no longer tokens, in bytes")
    add("--format", choices=("text", "jsonl"), help="of the files (default: by their suffix)")
    add("--field", metavar="NAME", default="text", help="the text in JSON lines (default: text)")
    add("--separator", metavar="TEXT", help="what stands between the texts of a file")
    add(
        "--errors",
        choices=("keep", "strict"),
        default="keep",
        help="bytes that are no UTF-8: keep them, or fail (default: keep)",
    )
    add(
        "--threads",
        metavar="N",
        type=whole_number(1),
        help="for counting (default: one for each core)",
    )
    add("--json", action="store_true", help="write the summary as JSON to stdout")


def run(options: argparse.Namespace) -> int:
    check_output(options.output)
    check_size(options.vocab_size, options.special_token)
    pattern = stages(options.pattern)
    with sources(options) as source:
        describe(options, pattern)
        start = time.perf_counter()
        tokenizer, counts = learn(options, source, pattern)
        seconds = time.perf_counter() - start
    tokenizer.save(options.output)
    facts = summary(tokenizer, counts, seconds)
    if options.json:
        print_json({"file": options.output, **facts})
    else:
        print_summary(options.output, facts)
    return 0


def learn(
    options: argparse.Namespace, source: Files, pattern: str | tuple[str, ...] | None
) -> tuple[Tokenizer, Counts]:
    """In two steps, so that the summary can tell what was counted."""
    import bytepair

    with progress() as report:
        counts = bytepair.count_pretokens(
            source,
            pattern,
            options.special_token,
            errors=options.errors,
            threads=options.threads,
            progress=report,
        )
        tokenizer = bytepair.train(
            counts,
            options.vocab_size,
            ties=options.ties,
            special_first=options.special_first,
            min_count=options.min_count,
            max_token_length=options.max_token_length,
            progress=report,
        )
    return tokenizer, counts


# ------------------------------------------------------------------ before


def check_output(path: str) -> None:
    """Fails before the training, not after it."""
    shown = words.printable(path)
    suffix = os.path.splitext(path)[1]
    if suffix not in SUFFIXES:
        raise FormatError(
            f"`{shown}`: the suffix `{words.printable(suffix)}` is none that a tokenizer is "
            "written in",
            hint="end it in `.json` (tokenizer.json) or `.tiktoken`",
        )
    folder = os.path.dirname(path) or os.curdir
    if not os.path.isdir(folder):
        raise BytepairError(
            f"cannot write `{shown}`: there is no folder `{words.printable(folder)}`",
            hint=f"`mkdir -p {words.printable(folder)}` makes it",
        )
    if os.path.isdir(path) or not os.access(folder, os.W_OK):
        why = "it is a folder" if os.path.isdir(path) else "its folder cannot be written to"
        raise BytepairError(f"cannot write `{shown}`: {why}")


def check_size(vocab_size: int, special_tokens: list[str]) -> None:
    """Fails before the texts are read: `train` would see it only then."""
    smallest = 256 + len(special_tokens)
    if vocab_size < smallest:
        raise VocabError(
            f"vocab_size `{vocab_size}` is too small",
            hint=f"it counts the 256 bytes and the special tokens: {smallest} at least",
        )


def stages(patterns: list[str] | None) -> str | tuple[str, ...] | None:
    """The pattern as `train` takes it."""
    if patterns is None:
        return "gpt2"
    if NO_PATTERN in patterns:
        if len(patterns) > 1:
            raise BytepairError("`--pattern none` means no cuts at all; it cannot have more stages")
        return None
    return patterns[0] if len(patterns) == 1 else tuple(patterns)


@contextlib.contextmanager
def sources(options: argparse.Namespace) -> Iterator[Files]:
    """The files; standard input becomes one, for it may be larger than memory."""
    import bytepair

    with contextlib.ExitStack() as stack:
        paths = list(options.files)
        if STDIN in paths:
            import shutil
            import tempfile

            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bytepair-"))
            copy = os.path.join(folder, "stdin")
            with open(copy, "wb") as file:
                shutil.copyfileobj(standard_input(), file)
            paths = [copy if path == STDIN else path for path in paths]
        yield bytepair.files(
            *paths, format=options.format, field=options.field, separator=options.separator
        )


def describe(options: argparse.Namespace, pattern: str | tuple[str, ...] | None) -> None:
    """What was understood, so that a shell's quoting cannot slip something in unseen."""
    special = options.special_token
    parts = ["256 bytes"]
    if special:
        parts.append("1 special token" if len(special) == 1 else f"{len(special):,} special tokens")
    parts.append(f"{options.vocab_size - 256 - len(special):,} merges")
    facts = {
        "files": shortened([words.printable(file) for file in options.files]),
        "vocab size": f"{options.vocab_size:,} = {' + '.join(parts)}",
        "pattern": quoted([pattern] if isinstance(pattern, str) else pattern or ()) or NO_PATTERN,
        "special tokens": quoted(special) or "none",
        "ties": options.ties,
    }
    if options.min_count > 1:
        facts["min count"] = f"{options.min_count:,}"
    if options.max_token_length is not None:
        facts["max token length"] = f"{options.max_token_length:,} bytes"
    words.facts(facts)


def shortened(names: list[str]) -> str:
    more = len(names) - FILES_NAMED
    return ", ".join(names[:FILES_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def quoted(texts: Iterable[str]) -> str:
    return ", ".join(f"`{words.printable(text)}`" for text in texts)


@contextlib.contextmanager
def progress() -> Iterator[Callable[[str, int, int | None], object] | None]:
    """A bar where stderr is a terminal; elsewhere rich is not even imported."""
    if not words.on_terminal():
        yield None
        return
    from bytepair.view.progress import TrainingProgress

    words.say()
    with TrainingProgress() as bar:
        yield bar


# ------------------------------------------------------------------ after


def summary(tokenizer: Tokenizer, counts: Counts, seconds: float) -> dict[str, Any]:
    return {
        "tokens": len(tokenizer),
        "merges": len(tokenizer.merges),
        "special_tokens": tokenizer.special_tokens,
        "bytes": counts.text_bytes,
        "pretokens": counts.total,
        "unique_pretokens": len(counts),
        "seconds": round(seconds, 3),
    }


def print_summary(path: str, facts: dict[str, Any]) -> None:
    words.say()
    words.facts(
        {
            "read": f"{facts['bytes']:,} bytes in {facts['pretokens']:,} pretokens, "
            f"{facts['unique_pretokens']:,} of them different",
            "learned": f"{facts['merges']:,} merges in {facts['seconds']:,.2f} s",
            "saved": f"{facts['tokens']:,} tokens in {words.printable(path)}",
        }
    )
