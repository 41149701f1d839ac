"""SentencePiece: characters with ``▁`` for blanks, put together by merging or by likelihood.

What it adds to BPE on bytes: blanks are characters like any other, so that nothing has to be cut
before; a text is normalized by the rules of the file; what no piece covers is unknown, or spelled
in bytes; and besides BPE there is Unigram, which takes the most probable of all ways to cut.
"""

from __future__ import annotations

import heapq
import struct
from collections.abc import Iterable

from bytepair.reference.sentencepiece_file import Kind, Normalization, SentencePieceFile, read_model

__all__ = ["Normalizer", "SentencePieceTokenizer"]

SPACE = "\u2581".encode()  # ▁, which stands for a blank
REPLACEMENT = "\ufffd".encode()
#: How much less probable an unknown character is than the rarest piece.
UNKNOWN_PENALTY = 10.0
SMALLEST_FLOAT = 1.1754943508222875e-38  # where the highest score is looked for from


def float32(value: float) -> float:
    """The nearest number of 32 bits, in which the original adds scores."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def character_length(data: bytes, at: int) -> int:
    """By the first byte alone, as the original counts."""
    return min((1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4)[data[at] >> 4], len(data) - at)


def valid_length(data: bytes, at: int) -> int:
    """The bytes of the character here; 0 if there is none that is well formed."""
    size = character_length(data, at)
    try:
        data[at : at + size].decode("utf-8")
    except UnicodeDecodeError:
        return 0
    return size


class Normalizer:
    """A text as the model wants it: characters replaced by the file's table, blanks as ``▁``."""

    def __init__(
        self, rules: Normalization, symbols: Iterable[bytes] = (), *, suffix: bool = False
    ) -> None:
        self.rules = rules
        self.symbols = set(symbols)
        self.longest_symbol = max(map(len, self.symbols), default=0)
        self.suffix = suffix
        self.units: tuple[int, ...] = ()
        self.replacements = b""
        if rules.charsmap:
            size = int.from_bytes(rules.charsmap[:4], "little")
            if len(rules.charsmap) < 4 + size or size % 4 or size < 4:
                raise ValueError("the table of rules is damaged")
            self.units = struct.unpack(f"<{size // 4}I", rules.charsmap[4 : 4 + size])
            self.replacements = rules.charsmap[4 + size :]

    def normalize(self, data: bytes) -> bytes:
        """The text as the pieces are looked for in it."""
        rules = self.rules
        at = 0
        if rules.remove_extra_whitespaces:
            while at < len(data):
                replaced, length = self.prefix(data, at)
                if replaced != b" ":
                    break
                at += length
        if at >= len(data):
            return b""
        blank = SPACE if rules.escape_whitespaces else b" "
        out = bytearray(blank if rules.add_dummy_prefix and not self.suffix else b"")
        after_blank = rules.remove_extra_whitespaces
        while at < len(data):
            replaced, length = self.prefix(data, at)
            at += length
            if after_blank:
                replaced = replaced.lstrip(b" ")
            if replaced:
                out += replaced.replace(b" ", blank)
                after_blank = replaced.endswith(b" ")
            after_blank = after_blank and rules.remove_extra_whitespaces
        if rules.remove_extra_whitespaces:
            while out.endswith(blank):
                del out[-len(blank) :]
        if rules.add_dummy_prefix and self.suffix:
            out += blank
        return bytes(out)

    def prefix(self, data: bytes, at: int) -> tuple[bytes, int]:
        """What the beginning of the rest becomes, and how many of its bytes that takes."""
        for size in range(min(self.longest_symbol, len(data) - at), 0, -1):
            if data[at : at + size] in self.symbols:
                return data[at : at + size], size
        value, length = self.longest_rule(data, at)
        if length:
            end = self.replacements.find(b"\0", value)
            return self.replacements[value : end if end >= 0 else None], length
        size = valid_length(data, at)
        return (data[at : at + size], size) if size else (REPLACEMENT, 1)

    def longest_rule(self, data: bytes, at: int) -> tuple[int, int]:
        """The longest key of the table that begins here, as a place in the replacements and its
        length. The table is a double array (Darts): a unit has a label, the offset of its children,
        and whether a value is among them."""
        found = (0, 0)
        if not self.units:
            return found
        node = offset(self.units[0])
        for place in range(at, len(data)):
            node ^= data[place]
            if node >= len(self.units):
                break
            unit = self.units[node]
            if unit & 0x800000FF != data[place]:
                break
            node ^= offset(unit)
            if unit >> 8 & 1 and node < len(self.units):
                found = (self.units[node] & 0x7FFFFFFF, place + 1 - at)
        return found


def offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


class SentencePieceTokenizer:
    """Encodes and decodes as the library does, slowly.

    ``SentencePieceTokenizer(open("tokenizer.model", "rb").read())`` reads a file; ``ValueError``
    for one that is damaged.
    """

    def __init__(self, model: bytes | SentencePieceFile) -> None:
        self.file = read_model(model) if isinstance(model, bytes) else model
        self.pieces = self.file.pieces
        self.texts = [piece.text.encode() for piece in self.pieces]
        self.ids: dict[bytes, int] = {}
        self.reserved: dict[bytes, int] = {}
        for id, (text, piece) in enumerate(zip(self.texts, self.pieces, strict=True)):
            matched = piece.kind in {Kind.NORMAL, Kind.USER_DEFINED, Kind.UNUSED}
            table = self.ids if matched else self.reserved
            if not text or table.setdefault(text, id) != id:
                raise ValueError(f"piece {id}: `{piece.text}` is empty or given twice")
        self.unknown = [piece.kind for piece in self.pieces].index(Kind.UNKNOWN)
        self.bytes = {
            value: self.reserved[f"<0x{value:02X}>".encode()]
            for value in range(256)
            if f"<0x{value:02X}>".encode() in self.reserved
        }
        if self.file.byte_fallback and len(self.bytes) < 256:
            raise ValueError("byte fallback needs a piece for each of the 256 bytes")
        self.symbols = {
            text
            for text, piece in zip(self.texts, self.pieces, strict=True)
            if piece.kind is Kind.USER_DEFINED
        }
        self.longest = max(map(len, self.ids), default=0)
        normal = [piece.score for piece in self.pieces if piece.kind is Kind.NORMAL]
        self.lowest = min(normal, default=0.0)
        self.highest = max([SMALLEST_FLOAT, *normal])
        self.normalizer = Normalizer(
            self.file.normalization, self.symbols, suffix=self.file.treat_whitespace_as_suffix
        )
        self.denormalizer = Normalizer(self.file.denormalization)

    # Encoding -----------------------------------------------------------------------------------

    def encode(self, text: str | bytes) -> list[int]:
        """The ids of a text; runs of unknown characters are one id, or one for each byte."""
        data = text.encode("utf-8", "replace") if isinstance(text, str) else text
        cut = {
            "unigram": self.most_probable,
            "bpe": self.merged,
            "char": self.by_character,
            "word": self.by_word,
        }[self.file.model_type]
        ids: list[int] = []
        after_unknown = False
        for piece, id in cut(self.normalizer.normalize(data)):
            unknown = id == self.unknown
            if unknown and self.file.byte_fallback:
                ids += [self.bytes[byte] for byte in piece]
            elif not (unknown and after_unknown):
                ids.append(id)
            after_unknown = unknown
        return ids

    def id_of(self, piece: bytes) -> int:
        return self.reserved.get(piece, self.ids.get(piece, self.unknown))

    def most_probable(self, data: bytes) -> list[tuple[bytes, int]]:
        """Unigram: for each place the best way to get there, by adding the scores of pieces."""
        nowhere = (0.0, -1, self.unknown)
        best = [(0.0, 0, self.unknown)] + [nowhere] * len(data)
        at = 0
        while at < len(data):
            here = best[at][0]
            single = character_length(data, at)
            covered = False
            for end in range(at + 1, min(at + self.longest, len(data)) + 1):
                id = self.ids.get(data[at:end])
                if id is None or self.pieces[id].kind is Kind.UNUSED:
                    continue
                piece = self.pieces[id]
                score = piece.score
                if piece.kind is Kind.USER_DEFINED:
                    score = float32((end - at) * self.highest) - 0.1
                if best[end][1] < 0 or score + here > best[end][0]:
                    best[end] = (float32(score + here), at, id)
                covered = covered or end - at == single
            if not covered:
                end, score = at + single, float32(self.lowest - UNKNOWN_PENALTY)
                total = float32(score + here)
                if best[end][1] < 0 or total > best[end][0]:
                    best[end] = (total, at, self.unknown)
            at += single
        path = []
        end = len(data)
        while end > 0:
            _, start, id = best[end]
            path.append((data[start:end], id))
            end = start
        return path[::-1]

    def characters(self, data: bytes) -> list[tuple[bytes, bool]]:
        """The characters, and user-defined symbols whole: those are never merged."""
        found = []
        at = 0
        longest = max(map(len, self.symbols), default=0)
        while at < len(data):
            size = next((n for n in range(longest, 0, -1) if data[at : at + n] in self.symbols), 0)
            frozen, size = size > 0, size or character_length(data, at)
            found.append((data[at : at + size], frozen))
            at += size
        return found

    def merged(self, data: bytes) -> list[tuple[bytes, int]]:
        """BPE: of all neighbours whose join is a piece, that of the highest score, the leftmost
        among equals, again and again. Pieces that are unused are taken apart afterwards."""
        found = self.characters(data)
        symbols = [symbol for symbol, _ in found]
        frozen = [is_frozen for _, is_frozen in found]
        before = list(range(-1, len(symbols) - 1))
        after = [*range(1, len(symbols)), -1]
        parts: dict[bytes, tuple[bytes, bytes]] = {}
        heap: list[tuple[float, int, int, int]] = []

        def consider(left: int, right: int) -> None:
            if left < 0 or right < 0 or frozen[left] or frozen[right]:
                return
            joined = symbols[left] + symbols[right]
            id = self.ids.get(joined)
            if id is None:
                return
            heapq.heappush(heap, (-self.pieces[id].score, left, right, len(joined)))
            if self.pieces[id].kind is Kind.UNUSED:
                parts[joined] = (symbols[left], symbols[right])

        for place in range(1, len(symbols)):
            consider(place - 1, place)
        while heap:
            _, left, right, size = heapq.heappop(heap)
            if not symbols[left] or not symbols[right]:
                continue
            if len(symbols[left]) + len(symbols[right]) != size:
                continue  # one of them has grown since
            symbols[left] += symbols[right]
            symbols[right] = b""
            after[left] = after[right]
            if after[right] >= 0:
                before[after[right]] = left
            consider(before[left], left)
            consider(left, after[left])
        return [
            (piece, self.id_of(piece))
            for symbol in symbols
            if symbol
            for piece in self.taken_apart(symbol, parts)
        ]

    def taken_apart(self, symbol: bytes, parts: dict[bytes, tuple[bytes, bytes]]) -> list[bytes]:
        whole, waiting = [], [symbol]
        while waiting:
            piece = waiting.pop()
            id = self.id_of(piece)
            if self.pieces[id].kind is Kind.UNUSED and piece in parts:
                waiting += reversed(parts[piece])
            else:
                whole.append(piece)
        return whole

    def by_character(self, data: bytes) -> list[tuple[bytes, int]]:
        return [(character, self.id_of(character)) for character, _ in self.characters(data)]

    def by_word(self, data: bytes) -> list[tuple[bytes, int]]:
        """A word begins at each ``▁``, wherever the model puts its own."""
        first, *others = data.split(SPACE)
        words = [first, *(SPACE + word for word in others)]
        return [(word, self.ids.get(word, self.unknown)) for word in words if word]

    # Decoding -----------------------------------------------------------------------------------

    def decode(self, ids: Iterable[int]) -> str:
        """The text of the ids: ``▁`` becomes a blank, the one that was put before the text is left
        out, bytes are read together; ``ValueError`` for an id that is none."""
        out = bytearray()
        waiting = bytearray()
        at_begin, blank_seen = True, False
        for id in ids:
            if not 0 <= id < len(self.pieces):
                raise ValueError(f"no piece has the id `{id}`")
            piece = self.pieces[id]
            if piece.kind is Kind.BYTE:
                waiting.append(int(piece.text[3:5], 16))
                continue
            out += read_bytes(waiting)
            waiting.clear()
            if blank_seen or out:
                at_begin = False
            text, blank_seen = self.surface(id, at_begin)
            out += text
        out += read_bytes(waiting)
        if self.file.denormalization.charsmap:
            return self.denormalizer.normalize(bytes(out)).decode("utf-8", "replace")
        return out.decode("utf-8", "replace")

    def surface(self, id: int, at_begin: bool) -> tuple[bytes, bool]:
        """A piece as text, and whether the blank of the beginning was taken from it."""
        kind, text = self.pieces[id].kind, self.texts[id]
        if kind is Kind.CONTROL:
            return b"", False
        if kind is Kind.UNKNOWN:
            return self.file.unk_surface.encode(), False
        taken = False
        rules = self.file.normalization
        if at_begin and (rules.add_dummy_prefix or rules.remove_extra_whitespaces):
            taken = text.startswith(SPACE)
            text = text.removeprefix(SPACE)
            if rules.remove_extra_whitespaces:
                taken = False  # so that further blanks are taken too, until some text was given
        return text.replace(SPACE, b" "), taken


def read_bytes(data: bytes | bytearray) -> bytes:
    """Bytes that were spelled one by one: characters where they are some, U+FFFD for the others."""
    out = bytearray()
    at = 0
    while at < len(data):
        size = valid_length(bytes(data), at)
        out += data[at : at + size] if size else REPLACEMENT
        at += size or 1
    return bytes(out)
