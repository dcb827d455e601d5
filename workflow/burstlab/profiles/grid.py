"""The size of a grid or of a block: three numbers, kept in one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Size = tuple[int, int, int]
# CUDA allows 2^31 − 1 blocks in x, 65,535 in y and in z.
_Y, _Z = 16, 16
NONE = -1


def pack(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """One number a size, int64; x, y and z in the bits from 32, from 16 and from 0."""
    packed: np.ndarray = (x << (_Y + _Z)) | (y << _Z) | z
    return packed


def unpack(packed: int) -> Size | None:
    """The size again; None for `NONE`, a launch without one."""
    if packed < 0:
        return None
    return packed >> (_Y + _Z), (packed >> _Z) & 0xFFFF, packed & 0xFFFF


def size_text(size: Sequence[int] | None) -> str | None:
    """`108x1x8`, as the tables have it."""
    return None if size is None else "x".join(map(str, size))


def parse_size(text: str) -> Size:
    """The size that `size_text` wrote; ValueError for any other text."""
    x, y, z = map(int, text.split("x"))
    return x, y, z
