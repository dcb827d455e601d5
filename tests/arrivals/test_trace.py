"""Trace replay keeps the shape of real arrivals and changes only their speed."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from burstlab.arrivals.dispersion import gaps_s, realised_cv
from burstlab.arrivals.trace import planned_send_s
from burstlab.errors import BurstlabError

GAPS = st.lists(st.integers(0, 1000).map(lambda hundredth: hundredth / 100), min_size=2, max_size=60)


def test_the_only_window_is_rescaled() -> None:
    # Gaps 1, 0, 3 s make 4 s; at 1 request/s three requests take 3 s, so all gaps shrink by 3/4.
    send_s = planned_send_s(np.array([10.0, 11.0, 11.0, 14.0]), requests=3, rate_per_s=1.0, seed=5)
    assert send_s.tolist() == [0.75, 0.75, 3.0]


def test_every_window_is_chosen_by_some_seed() -> None:
    times_s = np.array([0.0, 1.0, 3.0, 7.0])  # windows of two gaps: 1+2 and 2+4
    firsts = {planned_send_s(times_s, 2, 1.0, seed)[0] for seed in range(50)}
    assert sorted(firsts) == pytest.approx([2 / 3])
    times_s = np.array([0.0, 1.0, 2.0, 5.0])  # 1+1 and 1+3
    firsts = {planned_send_s(times_s, 2, 1.0, seed)[0] for seed in range(50)}
    assert sorted(firsts) == pytest.approx([0.5, 1.0])


def test_windows_without_any_time_are_never_chosen() -> None:
    times_s = np.array([4.0, 4.0, 4.0, 4.0, 6.0])
    for seed in range(20):
        assert planned_send_s(times_s, 2, 4.0, seed).tolist() == [0.0, 0.5]


def test_rate_inf_sends_all_at_once() -> None:
    assert planned_send_s(np.array([0.0, 1.0, 2.0]), 2, math.inf, 0).tolist() == [0.0, 0.0]


@given(GAPS, st.floats(0.01, 1e4), st.integers(0, 2**32 - 1), st.data())
def test_order_duration_ties_and_cv(gaps: list[float], rate: float, seed: int, data: st.DataObject) -> None:
    assume(sum(gaps) > 0)
    times_s = np.cumsum([5.0, *gaps])
    requests = data.draw(st.integers(1, len(gaps)))
    assume((times_s[requests:] > times_s[:-requests]).any())
    send_s = planned_send_s(times_s, requests, rate, seed)
    assert send_s.shape == (requests,)
    assert (gaps_s(send_s) >= 0).all()
    assert send_s[-1] == requests / rate
    windows = [np.diff(times_s[i : i + requests + 1]) for i in range(len(times_s) - requests)]
    alike = [w for w in windows if w.sum() > 0 and np.allclose(w / w.sum() * requests / rate, gaps_s(send_s))]
    assert alike
    assert any(math.isclose(realised_cv(w), realised_cv(gaps_s(send_s)), abs_tol=1e-6) for w in alike)
    assert any(((w == 0) == (gaps_s(send_s) == 0)).all() for w in alike)


@given(GAPS, st.floats(0.1, 100), st.integers(0, 1000))
def test_a_seed_gives_one_schedule(gaps: list[float], rate: float, seed: int) -> None:
    assume(sum(gaps) > 0)
    times_s = np.cumsum([0.0, *gaps])
    first = planned_send_s(times_s, len(gaps), rate, seed)
    assert (first == planned_send_s(times_s, len(gaps), rate, seed)).all()


@pytest.mark.parametrize(
    ("times_s", "requests", "rate", "message"),
    [
        ([0.0, 1.0], 2, 1.0, "has 2 arrivals; replaying 2 requests needs 3"),
        ([], 1, 1.0, "has 0 arrivals"),
        ([1.0, 0.0], 1, 1.0, "ascending"),
        ([0.0, math.nan], 1, 1.0, "finite"),
        ([3.0, 3.0], 1, 1.0, "time between"),
        ([0.0, 1.0], 0, 1.0, "requests"),
        ([0.0, 1.0], 1, 0.0, "rate"),
    ],
)
def test_impossible_traces_are_named(times_s: list[float], requests: int, rate: float, message: str) -> None:
    with pytest.raises(BurstlabError, match=message):
        planned_send_s(np.array(times_s), requests, rate, 0)
