import numpy as np
import pytest

from burstlab.errors import BurstlabError
from burstlab.simulator.routing.random_choice import RandomChoice
from burstlab.simulator.routing.round_robin import RoundRobin
from burstlab.simulator.routing.router import Router
from burstlab.simulator.routing.shortest_queue import ShortestQueue
from burstlab.simulator.routing.sticky import Sticky


def chosen(router: Router, *times: int, replicas: int = 3) -> list[int]:
    return [router.choose(now_ps, [0] * replicas) for now_ps in times]


def test_round_robin_takes_one_after_the_other() -> None:
    assert chosen(RoundRobin(), 0, 0, 5, 9) == [0, 1, 2, 0]


def test_by_chance_all_are_as_likely_and_a_seed_chooses_the_same() -> None:
    counts = np.bincount(chosen(RandomChoice(0), *range(3000)))
    assert (abs(counts - 1000) < 4 * np.sqrt(3000 * 2 / 9)).all()
    assert chosen(RandomChoice(7), *range(50)) == chosen(RandomChoice(7), *range(50))
    assert chosen(RandomChoice(7), *range(50)) != chosen(RandomChoice(8), *range(50))


def test_the_shortest_queue_and_of_equals_the_first() -> None:
    assert ShortestQueue().choose(0, [3, 1, 2]) == 1
    assert ShortestQueue().choose(0, [2, 1, 1]) == 1


def test_a_sticky_router_keeps_what_is_close_together_up_to_a_number() -> None:
    # The base is asked at 0; at 9, the fourth of a burst of at most 3; and at 20, as 11 is more than 5 after.
    assert chosen(Sticky(RoundRobin(), 3, 5), 0, 2, 7, 9, 20, 25) == [0, 0, 0, 1, 2, 2]


def test_close_is_to_the_one_before_and_not_to_the_first() -> None:
    assert chosen(Sticky(RoundRobin(), 100, 5), 0, 5, 10, 15) == [0, 0, 0, 0]


def test_a_sticky_router_of_one_is_its_base() -> None:
    assert chosen(Sticky(RoundRobin(), 1, 5), 0, 0, 0, 0) == [0, 1, 2, 0]


def test_a_sticky_router_of_none_is_refused() -> None:
    with pytest.raises(BurstlabError, match="at least 1"):
        Sticky(RoundRobin(), 0, 5)
