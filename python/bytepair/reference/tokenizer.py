"""The whole tokenizer: special tokens, pretokens, merges in order, and back.

Adds encoding to training. A `PatternTokenizer` is trained, or made from a list of merges (as
Hugging Face's files hold them) or from ranks alone (as tiktoken's files do); all encode alike.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bytepair.reference.bpe import BYTES, TIES, decode_bytes, to_bytes
from bytepair.reference.pretokenize import (
    ILL_FORMED,
    Pattern,
    compiled_stages,
    decode_marked,
    encode_marked,
    split,
)
from bytepair.reference.special import split_special
from bytepair.reference.train import Method, count_pretokens, incremental

RankOf = Callable[[bytes, bytes], int | None]  # the rank of merging two tokens, if they merge


def merge_steps(pretoken: bytes, rank_of: RankOf) -> Iterator[tuple[int, int, list[bytes]]]:
    """Each merge: its rank, its position, and the tokens after it.

    Always the lowest rank, and of equal ranks the leftmost; one merge at a time.
    """
    tokens = [bytes([byte]) for byte in pretoken]
    while True:
        ranks = [rank_of(left, right) for left, right in pairwise(tokens)]
        possible = [(rank, at) for at, rank in enumerate(ranks) if rank is not None]
        if not possible:
            return
        rank, at = min(possible)
        tokens = [*tokens[:at], tokens[at] + tokens[at + 1], *tokens[at + 2 :]]
        yield rank, at, tokens


def encode_pretoken(pretoken: bytes, rank_of: RankOf) -> list[bytes]:
    """The tokens of one pretoken.

    >>> encode_pretoken(b"that", by_merges([(b"a", b"t"), (b"h", b"at")]))
    [b't', b'hat']
    """
    tokens = [bytes([byte]) for byte in pretoken]
    for _, _, tokens in merge_steps(pretoken, rank_of):  # noqa: B007 (the last is the answer)
        pass
    return tokens


def by_merges(merges: Sequence[tuple[bytes, bytes]]) -> RankOf:
    """A merge's rank is its place in the list; ids play no part."""
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    if len(ranks) < len(merges):
        twice = next(pair for rank, pair in enumerate(merges) if ranks[pair] != rank)
        raise ValueError(f"the merge `{twice}` is listed twice")
    return lambda left, right: ranks.get((left, right))


def by_ranks(ranks: Mapping[bytes, int]) -> RankOf:
    """A merge's rank is that of the token it makes, whatever the two parts are."""
    return lambda left, right: ranks.get(left + right)


def to_nfc(data: bytes) -> bytes:
    """NFC; bytes that are no UTF-8 stay as they are, and nothing is composed across them."""
    pieces = re.split(f"([{''.join(ILL_FORMED)}])", decode_marked(data))
    raw = encode_marked(pieces, data)
    return b"".join(
        kept if piece in ILL_FORMED else unicodedata.normalize("NFC", piece).encode()
        for piece, kept in zip(pieces, raw, strict=True)
    )


@dataclass(frozen=True)
class PatternTokenizer:
    """A tokenizer that never changes. `whole`: a pretoken that is a token is not merged at all."""

    vocab: dict[int, bytes]
    rank_of: RankOf
    pattern: Pattern = "gpt2"
    special_tokens: dict[str, int] = field(default_factory=dict)
    normalization: str | None = None
    whole: bool = False
    merges: Sequence[tuple[bytes, bytes]] = ()

    def __post_init__(self) -> None:
        compiled_stages(self.pattern)
        if missing := set(range(256)) - {token[0] for token in self.ids if len(token) == 1}:
            raise ValueError(f"no token for the byte `0x{min(missing):02x}`; all 256 need one")
        if len(self.ids) < len(self.vocab):
            twice = next(self.vocab[n] for n in self.vocab if self.ids[self.vocab[n]] != n)
            raise ValueError(f"the token `{twice!r}` has two ids")
        for number in self.special_tokens.values():
            if number in self.vocab or list(self.special_tokens.values()).count(number) > 1:
                raise ValueError(f"the id `{number}` of a special token is taken")
        if self.normalization not in (None, "nfc", "prefix_space", "nfc+prefix_space"):
            known = "`nfc`, `prefix_space`, `nfc+prefix_space` or None"
            raise ValueError(f"unknown normalization `{self.normalization}`; use {known}")

    @property
    def ids(self) -> dict[bytes, int]:
        return {token: number for number, token in self.vocab.items()}

    @classmethod
    def from_merges(
        cls,
        merges: Sequence[tuple[bytes, bytes]],
        vocab: Mapping[int, bytes] | None = None,
        *,
        pattern: Pattern = "gpt2",
        special_tokens: Mapping[str, int] | None = None,
        normalization: str | None = None,
        ignore_merges: bool = False,
    ) -> PatternTokenizer:
        """Without `vocab`, the bytes are 0 to 255 and the merges follow in their order."""
        tokens = [*BYTES.values(), *(left + right for left, right in merges)]
        vocab = dict(enumerate(tokens)) if vocab is None else dict(vocab)
        known = set(vocab.values())
        for left, right in merges:
            for token in (left, right, left + right):
                if token not in known:
                    raise ValueError(f"the merge `{(left, right)}` needs the token `{token!r}`")
        special = dict(special_tokens or {})
        rank_of = by_merges(merges)
        return cls(vocab, rank_of, pattern, special, normalization, ignore_merges, merges)

    @classmethod
    def from_ranks(
        cls,
        ranks: Mapping[bytes, int],
        *,
        pattern: Pattern = "gpt2",
        special_tokens: Mapping[str, int] | None = None,
        normalization: str | None = None,
    ) -> PatternTokenizer:
        """Each rank is the token's id as well; a whole pretoken is looked up first."""
        vocab = {rank: token for token, rank in ranks.items()}
        if len(vocab) < len(ranks):
            token = next(token for token in ranks if vocab[ranks[token]] != token)
            raise ValueError(f"the rank `{ranks[token]}` of `{token!r}` is given twice")
        special = dict(special_tokens or {})
        return cls(vocab, by_ranks(ranks), pattern, special, normalization, whole=True)

    @classmethod
    def train(
        cls,
        texts: Iterable[str | bytes],
        vocab_size: int,
        *,
        pattern: Pattern = "gpt2",
        special_tokens: Sequence[str] = (),
        ties: str = "bytes",
        special_first: bool = False,
        min_count: int = 1,
        max_token_length: int | None = None,
        processes: int = 1,
        method: Method = incremental,
    ) -> PatternTokenizer:
        """Learns `vocab_size` tokens, the 256 bytes and the special tokens included.

        >>> tokenizer = PatternTokenizer.train(["low lower lowest"], 258)
        >>> tokenizer.merges
        [(b'o', b'w'), (b'l', b'ow')]
        """
        special_tokens = tuple(special_tokens)
        if isinstance(texts, str | bytes):
            raise ValueError("`texts` is one text; pass a list of texts")
        if ties not in TIES:
            raise ValueError(f"unknown tie rule `{ties}`; choose one of {', '.join(TIES)}")
        if len(set(special_tokens)) < len(special_tokens):
            raise ValueError(f"a special token is given twice in `{special_tokens}`")
        needed = 256 + len(special_tokens)
        if vocab_size < needed:
            raise ValueError(f"`vocab_size` is `{vocab_size}`; bytes and special tokens: {needed}")
        words = count_pretokens(texts, pattern, special_tokens, processes)
        pairs, tokens = method(words, vocab_size - needed, ties, min_count, max_token_length)
        if needed + len(pairs) < vocab_size:
            reached = f"training stopped at {needed + len(pairs)} of {vocab_size} tokens: "
            reason = f"no pair is left that occurs at least {max(min_count, 1)} times"
            warnings.warn(reached + reason, UserWarning, stacklevel=2)
        shift = len(special_tokens) if special_first else 0
        start = 0 if special_first else len(tokens)
        merges = [(tokens[left], tokens[right]) for left, right in pairs]
        return cls.from_merges(
            merges,
            {number + shift: token for number, token in tokens.items()},
            pattern=pattern,
            special_tokens={token: start + n for n, token in enumerate(special_tokens)},
        )

    def allowed(self, allowed_special: Collection[str]) -> Collection[str]:
        """The special tokens to look for: those given, or every one for `"all"`."""
        if allowed_special == "all":
            return self.special_tokens
        if unknown := set(allowed_special) - set(self.special_tokens):
            raise ValueError(f"`{min(unknown)}` is no special token of this tokenizer")
        return allowed_special

    def normalize(self, data: bytes) -> bytes:
        """NFC and a blank at the start, where the tokenizer asks for them."""
        if self.normalization in ("nfc", "nfc+prefix_space"):
            data = to_nfc(data)
        prefixes = self.normalization in ("prefix_space", "nfc+prefix_space")
        return b" " + data if prefixes and data and not data.startswith(b" ") else data

    def encode(self, text: str | bytes, allowed_special: Collection[str] = ()) -> list[int]:
        """The ids of `text`. A special token that is not allowed is ordinary text."""
        token_ids = self.ids
        ids = []
        for piece, is_special in split_special(to_bytes(text), self.allowed(allowed_special)):
            if is_special:
                ids.append(self.special_tokens[piece.decode()])
                continue
            for pretoken in split(self.pattern, self.normalize(piece)):
                if self.whole and pretoken in token_ids:
                    ids.append(token_ids[pretoken])
                else:
                    tokens = encode_pretoken(pretoken, self.rank_of)
                    ids.extend(token_ids[token] for token in tokens)
        return ids

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        special = {number: token.encode() for token, number in self.special_tokens.items()}
        return decode_bytes(ids, self.vocab | special)

    def decode(self, ids: Iterable[int]) -> str:
        """Bytes first, then UTF-8: a part of a character becomes U+FFFD only at the very end."""
        return self.decode_bytes(ids).decode("utf-8", errors="replace")
