import math

from burstlab.statistics.pairing import paired_values


def test_shared_finite_seeds_in_order() -> None:
    old, new = paired_values({3: 1.0, 1: 2.0, 2: math.inf, 5: 0.0}, {1: 5.0, 3: 4.0, 2: 1.0, 9: 7.0})
    assert (old.tolist(), new.tolist()) == ([2.0, 1.0], [5.0, 4.0])


def test_none_shared_gives_empty_arrays() -> None:
    old, new = paired_values({1: 1.0}, {2: 1.0})
    assert (len(old), len(new)) == (0, 0)
