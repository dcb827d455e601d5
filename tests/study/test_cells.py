import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.study.cells import Arrivals, Cell, Session, short

POSITIVE = st.floats(min_value=0, exclude_min=True, allow_nan=False)


def cell(rate: float = 10.0, arrivals: Arrivals | None = None, seed: int = 0) -> Cell:
    return Cell("cpu", "tiny-gqa", "eager", "random-128-32", rate, arrivals or Arrivals.gamma(0.5), seed)


def test_the_identity_is_a_path_with_the_shortest_numbers() -> None:
    assert cell().id == "cpu/tiny-gqa/eager/random-128-32/rate-10/burst-0.5/seed-0"
    assert (
        cell(math.inf, Arrivals.gamma(1.0), 3).id
        == "cpu/tiny-gqa/eager/random-128-32/rate-inf/burst-1/seed-3"
    )
    assert cell(2.5, Arrivals.replay("azure-conv")).id.endswith("/rate-2.5/trace-azure-conv/seed-0")


@pytest.mark.parametrize(
    ("burstiness", "cv"), [(1.0, 1.0), (0.25, 2.0), (0.1, math.sqrt(10)), (math.inf, 0.0)]
)
def test_lower_burstiness_is_a_higher_coefficient_of_variation(burstiness: float, cv: float) -> None:
    assert Arrivals.gamma(burstiness).cv == pytest.approx(cv)


def test_the_variation_of_a_trace_is_not_known_beforehand() -> None:
    assert Arrivals.replay("azure").cv is None


@given(POSITIVE)
def test_numbers_in_paths_read_back_as_themselves(number: float) -> None:
    assert float(short(number)) == number
    assert "/" not in short(number)


@given(POSITIVE, POSITIVE, st.integers(0, 9), st.integers(0, 9))
def test_cells_with_the_same_identity_are_the_same(
    rate: float, other: float, seed: int, other_seed: int
) -> None:
    one, two = cell(rate, seed=seed), cell(other, seed=other_seed)
    assert (one == two) == (one.id == two.id)


def test_cells_can_be_sorted_whatever_their_arrivals() -> None:
    mixed = [
        cell(arrivals=Arrivals.replay("x")),
        cell(arrivals=Arrivals.gamma(1.0)),
        cell(arrivals=Arrivals.gamma(0.1)),
    ]
    assert [one.arrivals.slug for one in sorted(mixed)] == ["burst-0.1", "burst-1", "trace-x"]


def test_bursts_are_compared_within_a_group() -> None:
    assert cell(10).group == cell(20, seed=4).group == ("cpu", "tiny-gqa", "eager", "random-128-32")


def test_sessions_are_numbered() -> None:
    assert Session("cpu", "tiny-gqa", "eager", 2, ()).id == "cpu/tiny-gqa/eager/2"
