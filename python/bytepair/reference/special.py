"""Find special tokens in text, and split around them.

Adds the step before pretokens: a special token is matched as a whole, in the text as it was given.
Where several could match, the one that starts first wins, and of those the longest.
"""

from __future__ import annotations

import re
from collections.abc import Collection


def split_special(data: bytes, special_tokens: Collection[str]) -> list[tuple[bytes, bool]]:
    """Pieces of `data` in order, each with whether it is a special token; no piece is empty.

    >>> split_special(b"a<|x|>b", ["<|x|>"])
    [(b'a', False), (b'<|x|>', True), (b'b', False)]
    """
    if "" in special_tokens:
        raise ValueError("a special token must not be empty; take `` out of `special_tokens`")
    if not special_tokens:
        return [(data, False)] if data else []
    # `re` tries alternatives in order, so the longest must stand first.
    longest_first = sorted((token.encode() for token in special_tokens), key=len, reverse=True)
    pieces = re.split(b"(" + b"|".join(map(re.escape, longest_first)) + b")", data)
    return [(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]
