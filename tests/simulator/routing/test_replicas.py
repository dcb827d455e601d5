"""Two engines behind a router. An iteration takes 10, and 1 more for each prompt token."""

import pytest
from hypothesis import given
from tests.simulator.cases import CASES, Case
from tests.simulator.made import Ticks, events, sent, served, token_times

from burstlab.errors import BurstlabError
from burstlab.simulator.loop import Delays
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import Requests
from burstlab.simulator.routing.replicas import Replicated, simulate_replicas
from burstlab.simulator.routing.round_robin import RoundRobin
from burstlab.simulator.routing.router import Router
from burstlab.simulator.routing.shortest_queue import ShortestQueue
from burstlab.simulator.scheduling.vllm_v1 import VllmV1


def routed(requests: Requests, router: Router, replicas: int = 2, delays: Delays | None = None) -> Replicated:
    engines = [(VllmV1(1000, 100), Paged(1000)) for _ in range(replicas)]
    return simulate_replicas(requests, router, engines, Ticks(), delays or Delays())


# A long request and a short one, and two that come when only the short one has ended.
TRAFFIC = sent((0, 20, 3), (0, 5, 1), (20, 5, 1), (24, 5, 1))


def test_round_robin_does_not_look_at_what_is_unfinished() -> None:
    found = routed(TRAFFIC, RoundRobin())
    assert found.replica.tolist() == [0, 1, 0, 1]
    assert token_times(found.runs[0]) == [(30, 55, 15), (45, 45, -1)]
    assert token_times(found.runs[1]) == [(15, 15, -1), (39, 39, -1)]


def test_the_shortest_queue_sees_who_has_finished() -> None:
    found = routed(TRAFFIC, ShortestQueue())
    # At 20 the first engine has one, the second none; at 24 both have one.
    assert found.replica.tolist() == [0, 1, 1, 0]
    assert token_times(found.runs[1]) == [(15, 15, -1), (35, 35, -1)]


def test_who_finishes_in_the_iteration_under_way_is_still_there() -> None:
    # The second engine's request ends at 15. At 14 both engines have one, and of equals the first is taken.
    assert routed(sent((0, 20, 1), (0, 5, 1), (14, 5, 1)), ShortestQueue()).replica.tolist() == [0, 1, 0]
    assert routed(sent((0, 20, 1), (0, 5, 1), (15, 5, 1)), ShortestQueue()).replica.tolist() == [0, 1, 1]


def test_a_request_is_routed_when_it_gets_there() -> None:
    # Sent at 14, it is there at 16; the second engine's request is there at 2 and ends at 17.
    traffic, later = sent((0, 20, 1), (0, 5, 1), (14, 5, 1)), Delays(ingress_ps=2)
    assert routed(traffic, ShortestQueue(), delays=later).replica.tolist() == [0, 1, 0]


@given(CASES)
def test_an_engine_behind_a_router_is_the_engine_alone(case: Case) -> None:
    if case.stateful:
        return
    alone = served(case.requests, case.policy, case.memory(), case.costs, case.delays)
    found = simulate_replicas(
        case.requests, RoundRobin(), [(case.policy, case.memory())], case.costs, case.delays
    )
    (behind,) = found.runs
    assert events(behind) == events(alone)
    assert token_times(behind) == token_times(alone)
    assert behind.end_ps == alone.end_ps


@given(CASES)
def test_two_engines_serve_everyone_each_as_if_it_had_got_its_own_alone(case: Case) -> None:
    if case.stateful:
        return
    engines = [(case.policy, case.memory()), (case.policy, case.memory())]
    found = simulate_replicas(case.requests, ShortestQueue(), engines, case.costs, case.delays)
    assert sum(len(run.requests.send_ps) for run in found.runs) == len(case.requests.send_ps)
    for run in found.runs:
        again = served(run.requests, case.policy, case.memory(), case.costs, case.delays)
        assert token_times(run) == token_times(again)


def test_without_an_engine_there_is_nowhere_to_route_to() -> None:
    with pytest.raises(BurstlabError, match="no engines"):
        routed(TRAFFIC, RoundRobin(), replicas=0)
