"""The gamma renewal process, drawn exactly as `vllm bench serve` 0.32 draws it."""

from __future__ import annotations

import math

import numpy as np

from burstlab.errors import BurstlabError


def planned_send_s(requests: int, rate_per_s: float, burstiness: float, seed: int) -> np.ndarray:
    """When each request is to leave, in seconds from the start of the run; shape (requests,), ascending.

    Gaps are gamma distributed with shape b = `burstiness` and scale 1/(rate·b), so their mean is 1/rate
    and their CV 1/√b. vLLM draws them from numpy's global generator seeded with `--seed`, and then
    stretches the cumulative times so that the last request leaves at requests/rate, whatever was drawn
    (`get_request` in vllm/benchmarks/serve.py). `burstiness` inf gives equal gaps, `rate_per_s` inf sends
    all at 0.

    The legacy generator is needed for the same numbers as vLLM's; here it is a local one, so nothing
    global changes. Raises BurstlabError for fewer than one request, or a rate or burstiness that is not
    positive.
    """
    _check(requests, rate_per_s, burstiness)
    if math.isinf(rate_per_s):
        return np.zeros(requests)
    cumulative_s = np.cumsum(_gaps_s(requests, rate_per_s, burstiness, seed))
    if cumulative_s[-1] == 0:  # so bursty that every draw underflowed: vLLM does not stretch these either
        return cumulative_s
    planned_s: np.ndarray = cumulative_s * (requests / rate_per_s / cumulative_s[-1])
    return planned_s


def _gaps_s(requests: int, rate_per_s: float, burstiness: float, seed: int) -> np.ndarray:
    if math.isinf(burstiness):
        return np.full(requests, 1.0 / rate_per_s)
    generator = np.random.RandomState(seed)
    return generator.gamma(shape=burstiness, scale=1.0 / (rate_per_s * burstiness), size=requests)


def _check(requests: int, rate_per_s: float, burstiness: float) -> None:
    if requests < 1:
        raise BurstlabError(f"requests is {requests}; a run needs at least 1")
    if not rate_per_s > 0:
        raise BurstlabError(f"request rate is {rate_per_s}; it must be above 0 requests per second, or inf")
    if not burstiness > 0:
        raise BurstlabError(f"burstiness is {burstiness}; it must be above 0, or inf for equal gaps")
