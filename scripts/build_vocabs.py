"""Writes the bundled vocabularies (python/bytepair/vocabs) from what their makers publish.

    python scripts/build_vocabs.py [--originals FOLDER] [--check]

FOLDER holds the originals and a list of their checksums:

    SHA256SUMS
    tiktoken/     r50k_base p50k_base cl100k_base o200k_base qwen glm4 kimi_k2 (.tiktoken),
                  glm4.special_tokens.json
    huggingface/  qwen3.json deepseek_v3.json o200k_harmony.tokenizer_config.json

What is written: one file for each vocabulary (the core's compact form, deflated), the special
tokens of every recipe, and SHA256SUMS. Each vocabulary is read back and compared with its original
before anything is written. `--check` writes nothing and fails if the files are not those that would
be written.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import zlib
from pathlib import Path
from typing import Any

from bytepair import _core

ROOT = Path(__file__).resolve().parent.parent
VOCABS = ROOT / "python" / "bytepair" / "vocabs"
ORIGINALS = Path(os.environ.get("BYTEPAIR_SHARED", ROOT.parent / "shared")) / "vocabs"

# The file that each vocabulary is made from.
RANKS = {
    "gpt2": "r50k_base",
    "p50k_base": "p50k_base",
    "cl100k_base": "cl100k_base",
    "o200k_base": "o200k_base",
    "qwen2": "qwen",
    "glm4": "glm4",
    "kimi_k2": "kimi_k2",
}
TOKENIZERS = {"deepseek_v3": "deepseek_v3"}
# The same vocabulary in a second publication, which must agree.
SECOND_SOURCES = {"qwen2": "qwen3"}

GPT2 = {"<|endoftext|>": 50256}
P50K_EDIT = {**GPT2, "<|fim_prefix|>": 50281, "<|fim_middle|>": 50282, "<|fim_suffix|>": 50283}
CL100K = {
    "<|endoftext|>": 100257,
    "<|fim_prefix|>": 100258,
    "<|fim_middle|>": 100259,
    "<|fim_suffix|>": 100260,
    "<|endofprompt|>": 100276,
}
O200K = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
HARMONY = {
    **O200K,
    "<|startoftext|>": 199998,
    "<|return|>": 200002,
    "<|constrain|>": 200003,
    "<|channel|>": 200005,
    "<|start|>": 200006,
    "<|end|>": 200007,
    "<|message|>": 200008,
    "<|call|>": 200012,
}
KIMI_K2 = {
    "[BOS]": 163584,
    "[EOS]": 163585,
    "<|im_end|>": 163586,
    "<|im_user|>": 163587,
    "<|im_assistant|>": 163588,
    "<|start_header_id|>": 163590,
    "<|end_header_id|>": 163591,
    "[EOT]": 163593,
    "<|im_system|>": 163594,
    "<|tool_calls_section_begin|>": 163595,
    "<|tool_calls_section_end|>": 163596,
    "<|tool_call_begin|>": 163597,
    "<|tool_call_argument_begin|>": 163598,
    "<|tool_call_end|>": 163599,
    "<|im_middle|>": 163601,
    "[UNK]": 163838,
    "[PAD]": 163839,
}
# Ids from here on are not GLM's own: whoever published the list added them.
GLM4_END = 151365
# Qwen3 added these to Qwen2.5's.
QWEN3_START = 151665


class Originals:
    """The folder of originals; every file is checked before it is used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
        pairs = (line.split(maxsplit=1) for line in lines)
        self.checksums = {name.removeprefix("./"): digest for digest, name in pairs}

    def read(self, name: str) -> bytes:
        data = (self.folder / name).read_bytes()
        found, expected = hashlib.sha256(data).hexdigest(), self.checksums.get(name)
        if found != expected:
            sys.exit(f"error: `{self.folder / name}`: its sha256 is `{found}`, not `{expected}`")
        return data

    def json(self, name: str) -> Any:
        return json.loads(self.read(name))


def model(originals: Originals, name: str) -> _core.Model:
    if name in RANKS:
        return _core.Model.from_tiktoken(originals.read(f"tiktoken/{RANKS[name]}.tiktoken"))
    data = originals.read(f"huggingface/{TOKENIZERS[name]}.json")
    return _core.Tokenizer.from_huggingface(data).model


def same(one: _core.Model, other: _core.Model) -> bool:
    return (
        one.vocab() == other.vocab()
        and one.merges() == other.merges()
        and one.ignore_merges == other.ignore_merges
    )


def vocabulary(originals: Originals, name: str) -> bytes:
    """The file of one vocabulary, proved to hold what its original holds."""
    original = model(originals, name)
    data = zlib.compress(original.to_compact(), 9)
    if not same(_core.Model.from_compact(zlib.decompress(data)), original):
        sys.exit(f"error: `{name}` is not the same when it is read back")
    if second := SECOND_SOURCES.get(name):
        other = _core.Tokenizer.from_huggingface(originals.read(f"huggingface/{second}.json")).model
        if not same(other, original):
            sys.exit(f"error: `{name}` differs from `{second}.json`")
    return data


def added_tokens(originals: Originals, name: str) -> dict[str, int]:
    tokens = originals.json(f"huggingface/{name}.json")["added_tokens"]
    return {token["content"]: token["id"] for token in tokens}


def with_reserved(named: dict[str, int], spelling: str, ids: range) -> dict[str, int]:
    """The named tokens, and `spelling` with the id in it for every id that has no name."""
    taken = set(named.values())
    return {**named, **{spelling.format(id): id for id in ids if id not in taken}}


def special_tokens(originals: Originals) -> dict[str, dict[str, int]]:
    qwen3 = added_tokens(originals, "qwen3")
    glm4 = originals.json("tiktoken/glm4.special_tokens.json")
    tokens = {
        "gpt2": GPT2,
        "r50k_base": GPT2,
        "p50k_base": GPT2,
        "p50k_edit": P50K_EDIT,
        "cl100k_base": CL100K,
        "o200k_base": O200K,
        "o200k_harmony": with_reserved(HARMONY, "<|reserved_{}|>", range(200000, 201088)),
        "qwen2.5": {text: id for text, id in qwen3.items() if id < QWEN3_START},
        "qwen3": qwen3,
        "deepseek_v3": added_tokens(originals, "deepseek_v3"),
        "glm4": {text: id for text, id in glm4.items() if id < GLM4_END},
        "kimi_k2": with_reserved(KIMI_K2, "<|reserved_token_{}|>", range(163584, 163840)),
    }
    published = originals.json("huggingface/o200k_harmony.tokenizer_config.json")
    for id, token in published["added_tokens_decoder"].items():
        if tokens["o200k_harmony"].get(token["content"]) != int(id):
            sys.exit(f"error: o200k_harmony: `{token['content']}` should be {id}")
    return {
        name: dict(sorted(each.items(), key=lambda item: item[1])) for name, each in tokens.items()
    }


def build(originals: Originals) -> dict[str, bytes]:
    """Every file of vocabs/ that is data, by name."""
    files = {}
    for name in (*RANKS, *TOKENIZERS):
        files[f"{name}.zlib"] = vocabulary(originals, name)
        print(f"{name:12} {len(files[f'{name}.zlib']):>9,} bytes", file=sys.stderr)
    text = json.dumps(special_tokens(originals), ensure_ascii=False, indent=0)
    files["special_tokens.json"] = text.encode() + b"\n"
    sums = [f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)]
    files["SHA256SUMS"] = "".join(sums).encode()
    print(f"{'all':12} {sum(map(len, files.values())):>9,} bytes", file=sys.stderr)
    return files


def contents(name: str, data: bytes) -> bytes:
    """What counts in a comparison: other versions of zlib may deflate otherwise."""
    return zlib.decompress(data) if name.endswith(".zlib") else data


def check(files: dict[str, bytes], folder: Path) -> None:
    data = (path for path in folder.iterdir() if path.suffix in {".zlib", ".json", ""})
    stored = {path.name: path.read_bytes() for path in data if path.is_file()}
    wrong = sorted(stored.keys() ^ files.keys())
    for name in sorted(stored.keys() & files.keys() - {"SHA256SUMS"}):
        if contents(name, stored[name]) != contents(name, files[name]):
            wrong.append(name)
    for line in stored.get("SHA256SUMS", b"").decode().splitlines():
        digest, _, name = line.partition("  ")
        if hashlib.sha256(stored.get(name, b"")).hexdigest() != digest:
            wrong.append(name)
    if wrong:
        names = ", ".join(f"`{name}`" for name in sorted(set(wrong)))
        sys.exit(f"error: not as built: {names}\nhint: run `python scripts/build_vocabs.py`")


def write(files: dict[str, bytes], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        draft = folder / f"{name}.new"
        draft.write_bytes(data)
        draft.replace(folder / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--originals", type=Path, default=ORIGINALS, metavar="FOLDER")
    parser.add_argument("--output", type=Path, default=VOCABS, metavar="FOLDER")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    arguments = parser.parse_args()
    try:
        files = build(Originals(arguments.originals))
        (check if arguments.check else write)(files, arguments.output)
    except OSError as error:
        sys.exit(f"error: `{error.filename}`: {error.strerror}")


if __name__ == "__main__":
    main()
