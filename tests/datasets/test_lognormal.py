"""Lengths of a truncated lognormal, scaled and limited."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.datasets.lognormal import LogNormal
from burstlab.datasets.synthetic_burstgpt import OUTPUTS as BURSTGPT_OUTPUTS
from burstlab.datasets.synthetic_burstgpt import PROMPTS as BURSTGPT_PROMPTS
from burstlab.datasets.synthetic_sharegpt import OUTPUTS, PROMPTS

MANY = 200_000


def draw(lengths: LogNormal, rows: int = MANY, scale: float = 1.0, cap: int = 1024) -> np.ndarray:
    return lengths.draw(np.random.default_rng(0), rows, scale, cap)


def test_sharegpt_has_the_published_means() -> None:
    assert draw(PROMPTS).mean() == pytest.approx(161.31, rel=0.01)
    assert draw(OUTPUTS).mean() == pytest.approx(337.99, rel=0.01)


def test_sharegpt_has_the_published_spread_before_it_is_truncated() -> None:
    # Far from the limits: 90th percentile over median.
    free = [LogNormal(200.0, of.log_sd, 10_000.0) for of in (PROMPTS, OUTPUTS)]
    ratios = [np.quantile(tokens, 0.9) / np.median(tokens) for tokens in (draw(of, scale=0.1) for of in free)]
    assert ratios == pytest.approx([5696 / 1730, 834 / 415], rel=0.05)


def test_burstgpt_has_the_published_medians_when_it_is_scaled_down() -> None:
    assert np.median(draw(BURSTGPT_PROMPTS, scale=0.05)) / 0.05 == pytest.approx(786, rel=0.03)
    assert np.median(draw(BURSTGPT_OUTPUTS, scale=0.1)) / 0.1 == pytest.approx(272.8, rel=0.03)


def test_scaling_scales_the_mean() -> None:
    assert draw(OUTPUTS, scale=0.25).mean() == pytest.approx(337.99 / 4, rel=0.01)


@given(
    st.floats(1, 5000), st.floats(0.1, 2), st.floats(5, 40_000), st.floats(0.001, 1000), st.integers(4, 4096)
)
def test_lengths_are_always_such_that_vllm_keeps_them(
    median: float, log_sd: float, longest: float, scale: float, cap: int
) -> None:
    tokens = draw(LogNormal(median, log_sd, longest), rows=50, scale=scale, cap=cap)
    assert tokens.dtype == np.int64
    assert tokens.min() >= 4
    assert tokens.max() <= min(cap, 1024)


def test_a_limit_cuts_the_tail_and_does_not_heap_it_up() -> None:
    tokens = draw(OUTPUTS, cap=400)
    assert (tokens == 400).mean() < 0.005


def test_more_rows_begin_with_the_same() -> None:
    assert draw(PROMPTS, rows=100)[:10].tolist() == draw(PROMPTS, rows=10).tolist()
