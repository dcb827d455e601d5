"""What is asked: which requests, at which rate, under which arrivals."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from burstlab.advice.lengths import Lengths
from burstlab.arrivals.gamma import planned_send_s
from burstlab.errors import BurstlabError
from burstlab.simulator.requests import Requests, requests

LEAST_SEEDS, LEAST_REQUESTS = 3, 20


@dataclass(frozen=True)
class Question:
    """`steady` and `bursty` are the burstinesses compared; each of `seeds` seeds draws arrivals and lengths for both."""

    rate_per_s: float
    lengths: Lengths
    steady: float = 1.0
    bursty: float = 0.1
    requests: int = 1000
    seeds: int = 5

    def __post_init__(self) -> None:
        if not 0 < self.rate_per_s < math.inf:
            raise BurstlabError(
                f"--rate {self.rate_per_s:g}: must be a number of requests per second above 0"
            )
        if not (0 < self.steady < math.inf and 0 < self.bursty < math.inf):
            raise BurstlabError(
                f"--burstiness {self.steady:g} {self.bursty:g}: both must be above 0; a lower one is burstier"
            )
        if self.seeds < LEAST_SEEDS:
            raise BurstlabError(f"--seeds {self.seeds}: at least {LEAST_SEEDS}; fewer pairs tell nothing")
        if self.requests < LEAST_REQUESTS:
            raise BurstlabError(f"--requests {self.requests}: at least {LEAST_REQUESTS}")

    def at(self, rate_per_s: float) -> Self:
        """The same at another rate."""
        return replace(self, rate_per_s=rate_per_s)

    def sent(self, burstiness: float, seed: int) -> Requests:
        """The requests of a run."""
        send_s = planned_send_s(self.requests, self.rate_per_s, burstiness, seed)
        return requests(send_s, *self.lengths.draw(self.requests, seed))

    def all_at_once(self) -> Requests:
        """The requests of the first seed, all sent at the start."""
        return requests(np.zeros(self.requests), *self.lengths.draw(self.requests, 0))
