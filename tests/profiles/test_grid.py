import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.profiles.grid import NONE, pack, size_text, unpack


@given(st.integers(0, 2**31 - 1), st.integers(0, 65_535), st.integers(0, 65_535))
def test_what_is_packed_comes_back(x: int, y: int, z: int) -> None:
    packed = pack(*(np.array([number], dtype=np.int64) for number in (x, y, z)))
    assert unpack(int(packed[0])) == (x, y, z)


@pytest.mark.parametrize(("size", "text"), [((108, 1, 8), "108x1x8"), (None, None)])
def test_text(size: tuple[int, int, int] | None, text: str | None) -> None:
    assert size_text(size) == text


def test_no_size() -> None:
    assert unpack(NONE) is None
