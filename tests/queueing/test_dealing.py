import numpy as np

from burstlab.queueing.dealing import random_gaps_s, round_robin_gaps_s


def test_every_third_arrival_by_hand() -> None:
    assert round_robin_gaps_s(np.array([0.0, 1.0, 2.0, 5.0, 6.0, 7.0, 9.0]), 3).tolist() == [5.0, 4.0]


def test_one_server_gets_all() -> None:
    arrivals = np.array([0.0, 1.0, 4.0])
    assert round_robin_gaps_s(arrivals, 1).tolist() == [1.0, 3.0]
    assert random_gaps_s(arrivals, 1, np.random.default_rng(0)).tolist() == [1.0, 3.0]


def test_by_lot_a_server_gets_its_share() -> None:
    arrivals = np.arange(10_000.0)
    gaps = random_gaps_s(arrivals, 4, np.random.default_rng(0))
    assert 2300 < len(gaps) < 2700
    assert len(set(gaps.tolist())) > 10
