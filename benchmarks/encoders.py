"""The libraries that encode, behind one face.

To add one: a class here, its version pinned in requirements.txt.
What a library has no call for stands in `lacks`, and its cell stays empty. `unfair` is what a
reader must know before comparing the column; it is printed under the tables.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ClassVar

from vocabularies import saved


class Encoder:
    name: ClassVar[str]
    distribution: ClassVar[str]
    tokenizers: ClassVar[tuple[str, ...]] = ("gpt2", "cl100k_base", "o200k_base")
    unfair: ClassVar[str] = ""
    lacks: ClassVar[tuple[str, ...]] = ()

    # text → ids
    to_list: Callable[[str], list[int]] | None = None
    to_numpy: Callable[[str], Any] | None = None
    # texts, threads → one list for each; one array of all ids
    batch_to_list: Callable[[list[str], int], list[list[int]]] | None = None
    batch_to_numpy: Callable[[list[str], int], Any] | None = None
    count: Callable[[str], int] | None = None
    decode: Callable[[list[int]], str] | None = None

    def __init__(self, tokenizer: str) -> None:
        self.tokenizer = tokenizer

    @classmethod
    def offers(cls, methods: tuple[str, ...]) -> bool:
        return not set(methods) & set(cls.lacks)

    def import_library(self) -> None:
        raise NotImplementedError

    def prepare(self) -> None:
        """Write the files that `load` reads; neither timed nor counted."""

    def load(self) -> None:
        """From the local file."""
        raise NotImplementedError

    load_bundled: Callable[[], None] | None = None


class Bytepair(Encoder):
    name = distribution = "bytepair"
    unfair = "`count` builds no ids; `batch` holds no more threads than it is given"

    def import_library(self) -> None:
        import bytepair

        self.library = bytepair

    def prepare(self) -> None:
        saved(self.tokenizer, ".tiktoken")

    def load(self) -> None:
        self._use(self.library.load(str(saved(self.tokenizer, ".tiktoken"))))

    def load_bundled(self) -> None:
        self._use(self.library.load(self.tokenizer))

    def _use(self, loaded: Any) -> None:
        self.to_list, self.to_numpy = loaded.encode, loaded.encode_to_numpy
        self.batch_to_list = lambda texts, n: loaded.encode_batch(texts, threads=n)
        self.batch_to_numpy = lambda texts, n: loaded.encode_batch_to_numpy(texts, threads=n).ids
        self.count, self.decode = loaded.count, loaded.decode


class Tiktoken(Encoder):
    name = distribution = "tiktoken"
    lacks = ("batch_to_numpy", "load_bundled")
    unfair = (
        "`encode_ordinary`, which looks for no special tokens; its batch starts a Python thread "
        "pool and a future for every text; `count` is the length of the ids; its ranks are read "
        "from a local file, since the library itself would download them"
    )

    def import_library(self) -> None:
        import tiktoken
        import tiktoken_ext.openai_public as recipes

        self.library, self.recipes = tiktoken, recipes

    def prepare(self) -> None:
        saved(self.tokenizer, ".tiktoken")

    def load(self) -> None:
        from tiktoken.load import load_tiktoken_bpe

        ranks = load_tiktoken_bpe(str(saved(self.tokenizer, ".tiktoken")))
        # The recipe asks two functions for its ranks; both would download.
        self.recipes.load_tiktoken_bpe = lambda *_, **__: ranks
        self.recipes.data_gym_to_mergeable_bpe_ranks = lambda *_, **__: ranks
        encoding = self.library.Encoding(**getattr(self.recipes, self.tokenizer)())
        self.to_list = encoding.encode_ordinary
        self.to_numpy = lambda text: encoding.encode_to_numpy(text, disallowed_special=())
        self.batch_to_list = lambda texts, n: encoding.encode_ordinary_batch(texts, num_threads=n)
        self.count = lambda text: len(encoding.encode_ordinary(text))
        self.decode = encoding.decode


class HuggingFace(Encoder):
    name = distribution = "tokenizers"
    lacks = ("to_numpy", "batch_to_numpy", "load_bundled")
    unfair = (
        "`encode` also makes offsets, masks and token strings, which nobody asked for here; "
        "`count` is the length of the ids; its file is the `tokenizer.json` that bytepair writes"
    )

    def import_library(self) -> None:
        import tokenizers

        self.library = tokenizers

    def prepare(self) -> None:
        saved(self.tokenizer, ".json")

    def load(self) -> None:
        loaded = self.library.Tokenizer.from_file(str(saved(self.tokenizer, ".json")))

        def to_list(text: str) -> list[int]:
            return list(loaded.encode(text, add_special_tokens=False).ids)

        def batch(texts: list[str], threads: int) -> list[list[int]]:
            os.environ["TOKENIZERS_PARALLELISM"] = "true" if threads > 1 else "false"
            return [e.ids for e in loaded.encode_batch_fast(texts, add_special_tokens=False)]

        self.to_list, self.batch_to_list = to_list, batch
        self.count = lambda text: len(loaded.encode(text, add_special_tokens=False))
        self.decode = lambda ids: loaded.decode(ids, skip_special_tokens=False)


class Gigatoken(Encoder):
    name = distribution = "gigatoken"
    lacks = ("load_bundled",)
    unfair = (
        "special tokens in the text always become control tokens; `encode` gives an array, so its "
        "list is a batch of one text; `decode` gives bytes, made a `str` here; `count` is the "
        "length of the array"
    )

    def import_library(self) -> None:
        import awkward
        import gigatoken

        self.library, self.awkward = gigatoken, awkward

    def prepare(self) -> None:
        saved(self.tokenizer, ".tiktoken")

    def load(self) -> None:
        path = saved(self.tokenizer, ".tiktoken")
        loaded = self.library.Tokenizer.from_tiktoken(str(path))
        self.to_list = lambda text: loaded.encode_batch_list([text], parallel=False)[0]
        self.to_numpy = loaded.encode
        self.batch_to_list = lambda texts, n: loaded.encode_batch_list(texts, parallel=n > 1)
        self.batch_to_numpy = lambda texts, n: self.awkward.flatten(
            loaded.encode_batch(texts, parallel=n > 1)
        ).to_numpy()
        self.count = lambda text: len(loaded.encode(text))
        self.decode = lambda ids: loaded.decode(ids).decode("utf-8", "replace")


class Toktok(Encoder):
    name, distribution = "toktok", "toktok-rs"
    tokenizers = ("cl100k_base", "o200k_base")
    lacks = ("batch_to_list", "load")
    unfair = (
        "its vocabularies are compiled in, and it reads no file; encoding is not part of its "
        "public face (`toktok._encoding`), counting is; it has no GPT-2"
    )

    def import_library(self) -> None:
        import toktok

        self.library = toktok

    def load(self) -> None:
        self.load_bundled()

    def load_bundled(self) -> None:
        loaded = self.library._encoding(self.tokenizer)
        self.to_list = loaded.encode_ordinary
        self.to_numpy = lambda text: loaded.encode_to_numpy(text, disallowed_special=set())
        self.batch_to_numpy = lambda texts, n: loaded.encode_batch_to_numpy(texts, threads=n)[0]
        self.count = loaded.count
        self.decode = loaded.decode


ENCODERS: dict[str, type[Encoder]] = {
    encoder.name: encoder for encoder in (Bytepair, Tiktoken, HuggingFace, Gigatoken, Toktok)
}
