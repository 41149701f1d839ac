"""Ids of many texts in one array."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bytepair import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import CapsuleType

__all__ = ["Ragged"]


class Ragged(NamedTuple):
    """Ids of many texts: those of text *i* are ``ids[offsets[i]:offsets[i + 1]]``.

    ``ids`` is 1-D, ``uint16`` or ``uint32``; ``offsets`` is ``int64`` of shape ``(texts + 1,)``.

    It speaks the Arrow PyCapsule protocol, so ``pyarrow.array(ragged)``, ``polars.Series(ragged)``
    and the like take it as a list of ids for each text. They read the memory of the two arrays,
    which must not be changed while they do.

    >>> import numpy as np
    >>> ids, offsets = Ragged(np.array([5, 6, 7], np.uint16), np.array([0, 2, 2, 3]))
    >>> [ids[start:end].tolist() for start, end in zip(offsets, offsets[1:])]
    [[5, 6], [], [7]]
    """

    ids: NDArray[np.uint16] | NDArray[np.uint32]
    offsets: NDArray[np.int64]

    def __arrow_c_schema__(self) -> CapsuleType:
        """The type, ``large_list<uint16>`` or ``large_list<uint32>``, as an Arrow capsule."""
        return _core.arrow_schema(self.ids)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[CapsuleType, CapsuleType]:
        """Type and data as Arrow capsules; nothing is copied. Another schema than its own is not
        cast to, as the protocol allows.

        Raises ``ValueError`` for offsets that do not ascend or leave ``ids``, and for arrays that
        do not lie in one piece; ``TypeError`` for arrays of other types.
        """
        return _core.arrow_schema(self.ids), _core.arrow_array(self.ids, self.offsets)
