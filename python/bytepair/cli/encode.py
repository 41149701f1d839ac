"""Write the ids of a text, in one line with blanks between.

The text is FILE, or standard input. It is read as a stream, so that it may be
larger than memory.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice

from bytepair.cli import words
from bytepair.cli.options import add_allowed_special, add_tokenizer, allowed_special, load_numbered
from bytepair.cli.streams import chunks, open_input, output, print_json, write_whole

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "text to ids"
BATCH = 1 << 16
NO_SUCH_FILE = "FILE names a file; a text itself goes in as `echo TEXT | bytepair encode`"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_tokenizer(parser)
    parser.add_argument("file", metavar="FILE", nargs="?", help="the text; `-` or none: stdin")
    add_allowed_special(parser)
    parser.add_argument("--json", action="store_true", help="write the ids as a JSON list")
    parser.add_argument(
        "--numpy", metavar="OUT", help="write the ids to OUT as a NumPy array (.npy) of uint32"
    )


def run(options: argparse.Namespace) -> int:
    allowed = allowed_special(options.allowed_special)
    with open_input(options.file, NO_SUCH_FILE) as file:
        tokenizer = load_numbered(options.tokenizer)
        ids = tokenizer.encode_stream(chunks(file), allowed_special=allowed)
        if options.numpy is None:
            print_ids(ids, as_json=options.json)
            return 0
        number = save_ids(ids, options.numpy)
    if options.json:
        print_json({"file": options.numpy, "tokens": number, "dtype": "uint32"})
    else:
        words.say(f"wrote {number:,} ids to {words.printable(options.numpy)}")
    return 0


def batches(ids: Iterable[int]) -> Iterator[list[int]]:
    rest = iter(ids)
    while batch := list(islice(rest, BATCH)):
        yield batch


def print_ids(ids: Iterable[int], *, as_json: bool) -> None:
    out = output()
    between, start, end = (", ", "[", "]\n") if as_json else (" ", "", "\n")
    for at, batch in enumerate(batches(ids)):
        out.write((between if at else start).encode())
        out.write(between.join(map(str, batch)).encode())
        start = ""
    out.write((start + end).encode())


def save_ids(ids: Iterable[int], path: str) -> int:
    """Writes a .npy file and returns the number of ids.

    NumPy pads the header so that the length of a one-dimensional array can grow in place: it is
    written again when the length is known, and no more than a batch is ever in memory.
    """
    import numpy as np
    from numpy.lib import format as npy

    def header(length: int) -> dict[str, object]:
        dtype = np.dtype(np.uint32)
        return {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": (length,)}

    number = 0
    with write_whole(path) as file:
        npy.write_array_header_1_0(file, header(0))
        for batch in batches(ids):
            file.write(np.array(batch, dtype=np.uint32).tobytes())
            number += len(batch)
        file.seek(0)
        npy.write_array_header_1_0(file, header(number))
    return number
