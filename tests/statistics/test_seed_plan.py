import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.statistics.seed_plan import seed_plan


def pairs(*ratios: float) -> tuple[dict[int, float], dict[int, float]]:
    return dict.fromkeys(range(len(ratios)), 1.0), {
        seed: math.exp(ratio) for seed, ratio in enumerate(ratios)
    }


def test_a_deviation_twice_the_effect_needs_thirty_four_seeds() -> None:
    # Log ratios with standard deviation 2·ln 1.1: half a deviation is to be told, the textbook's 34 pairs.
    step = 2 * math.log(1.1)
    found = seed_plan(*pairs(-step, 0.0, step), effect=0.1)
    assert found is not None
    assert (found.seeds, found.needed) == (3, 34)
    assert found.deviation == pytest.approx(step)
    assert found.safe is not None
    assert found.safe > 34
    assert found.more == found.safe - 3


def test_seeds_that_suffice_need_no_more() -> None:
    found = seed_plan(*pairs(0.5, 0.5001, 0.4999, 0.5), effect=0.1)
    assert found is not None
    assert found.more == 0
    assert found.detectable < 0.01


def test_two_pairs_without_spread_still_need_a_third_for_a_verdict() -> None:
    found = seed_plan(*pairs(0.5, 0.5), effect=0.1)
    assert found is not None
    assert (found.needed, found.more) == (3, 1)


def test_one_seed_plans_nothing() -> None:
    assert seed_plan(*pairs(0.1), effect=0.1) is None


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=12), st.floats(0.05, 1.0))
def test_smaller_effects_need_more_seeds(ratios: list[float], effect: float) -> None:
    small, large = seed_plan(*pairs(*ratios), effect=effect / 2), seed_plan(*pairs(*ratios), effect=effect)
    assert small is not None
    assert large is not None
    if small.needed is not None:
        assert large.needed is not None
        assert large.needed <= small.needed
