"""Several engines behind a router, all in one time."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.interface import FOREVER, Costs
from burstlab.simulator.job import Job
from burstlab.simulator.loop import Arrival, Delays, Loop, Run, check_lengths
from burstlab.simulator.memory.allocator import Allocator
from burstlab.simulator.requests import Requests
from burstlab.simulator.routing.router import Router
from burstlab.simulator.scheduling.policy import Policy


@dataclass(frozen=True, slots=True)
class Replicated:
    """`replica` is that of each request, shape (requests,); `runs` are what each replica made of its own, in order of sending."""

    replica: np.ndarray
    runs: tuple[Run, ...]


def simulate_replicas(
    requests: Requests,
    router: Router,
    engines: Sequence[tuple[Policy, Allocator]],
    costs: Costs,
    delays: Delays,
    *,
    log_iterations: bool = True,
) -> Replicated:
    """Serve the requests with as many engines as there are policies and memories, none of which may be used for two.

    A request is routed when it gets to the engines, `ingress_ps` after it was sent. Raises BurstlabError as `simulate` does.
    """
    if not engines:
        raise BurstlabError("no engines to route to: at least 1 is needed")
    for _, memory in engines:
        check_lengths(requests, memory)
    count = len(requests.send_ps)
    loops = [Loop(memory, count, costs, delays, log_iterations=log_iterations) for _, memory in engines]
    serving = [loop.run(policy) for loop, (policy, _) in zip(loops, engines, strict=True)]
    for one in serving:
        next(one)
    replica = np.zeros(count, dtype=np.int64)
    got = [0] * len(loops)
    columns = (requests.send_ps + delays.ingress_ps, requests.prompt_tokens, requests.output_tokens)
    for number, (now_ps, prompt, output) in enumerate(
        zip(*(column.tolist() for column in columns), strict=True)
    ):
        for one in serving:
            one.send((now_ps, None))
        chosen = router.choose(now_ps, [loop.unfinished(now_ps) for loop in loops])
        replica[number] = chosen
        serving[chosen].send((now_ps, Job(got[chosen], prompt, output)))
        got[chosen] += 1
    for one in serving:
        _end(one)
    runs = tuple(loop.outcome(_those(requests, replica == number)) for number, loop in enumerate(loops))
    return Replicated(replica, runs)


def _end(serving: Generator[None, Arrival, None]) -> None:
    try:
        serving.send((FOREVER, None))
    except StopIteration:
        return


def _those(requests: Requests, chosen: np.ndarray) -> Requests:
    return Requests(requests.send_ps[chosen], requests.prompt_tokens[chosen], requests.output_tokens[chosen])
