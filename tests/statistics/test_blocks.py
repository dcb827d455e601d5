import numpy as np

from burstlab.statistics.blocks import block_quantile_interval


def test_fewer_than_four_blocks_are_too_few() -> None:
    assert block_quantile_interval(np.arange(1.0, 31.0), 0.5, block=10) is None
    assert block_quantile_interval(np.arange(1.0, 41.0), 0.5, block=10) is not None


def test_equal_values_leave_no_doubt() -> None:
    found = block_quantile_interval(np.full(400, 7.0), 0.9)
    assert found is not None
    assert (found.estimate, round(found.low, 9), round(found.high, 9)) == (7.0, 7.0, 7.0)


def test_correlated_neighbours_widen_it() -> None:
    drawn = np.random.default_rng(0).lognormal(size=50)
    clumped, shuffled = np.repeat(drawn, 20), np.random.default_rng(1).permutation(np.repeat(drawn, 20))
    wide, narrow = block_quantile_interval(clumped, 0.5), block_quantile_interval(shuffled, 0.5)
    assert wide is not None
    assert narrow is not None
    assert wide.estimate == narrow.estimate
    assert np.log(wide.high / wide.low) > 2 * np.log(narrow.high / narrow.low)
