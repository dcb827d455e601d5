import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.iterations.decomposition import Costs, decompose


def costs(share: float, decode_only_ms: float, mixed_ms: float) -> Costs:
    return Costs(np.array([share]), np.array([decode_only_ms]), np.array([mixed_ms]))


run = st.builds(costs, st.floats(0, 1), st.floats(0, 1000), st.floats(0, 1000))


def test_a_shift_alone_by_hand() -> None:
    # A quarter of the tokens move from iterations of 100 ms to those of 20 ms.
    parts = decompose(costs(0.5, 20, 100), costs(0.75, 20, 100))
    assert (parts.shares_ms[0], parts.decode_only_ms[0], parts.mixed_ms[0]) == (-20.0, 0.0, 0.0)


def test_costs_alone_by_hand() -> None:
    parts = decompose(costs(0.75, 20, 100), costs(0.75, 24, 200))
    assert (parts.shares_ms[0], parts.decode_only_ms[0], parts.mixed_ms[0]) == (0.0, 3.0, 25.0)


@given(run, run)
def test_the_parts_add_up(before: Costs, after: Costs) -> None:
    parts = decompose(before, after)
    total = parts.shares_ms + parts.decode_only_ms + parts.mixed_ms
    assert total == pytest.approx(after.interval_ms - before.interval_ms, abs=1e-6)


@given(run, run)
def test_backwards_it_is_mirrored(before: Costs, after: Costs) -> None:
    there, back = decompose(before, after), decompose(after, before)
    assert there.shares_ms == pytest.approx(-back.shares_ms, abs=1e-6)
