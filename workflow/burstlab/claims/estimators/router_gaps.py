"""B18: dealt to k servers in turn, Poisson arrivals reach each with Erlang-k gaps; dealt by lot, with exponential ones."""

import math
from collections.abc import Iterator

import numpy as np

from burstlab.arrivals.dispersion import realised_cv
from burstlab.arrivals.gamma import planned_send_s
from burstlab.claims.check import Check, Region, Subject, near
from burstlab.claims.evidence import Evidence
from burstlab.claims.schema import Claim
from burstlab.queueing.dealing import random_gaps_s, round_robin_gaps_s
from burstlab.statistics.student import mean_interval

REQUESTS, SEEDS, SERVERS = 100_000, 20, (2, 4, 8)


def estimate(claim: Claim, _: Evidence) -> Iterator[Check]:
    """For 2, 4 and 8 servers and both ways of dealing: the CV of a server's gaps, and how far their law is off."""
    tolerance, distance = claim.tolerance or 0.0, claim.parameters["distance"]
    for servers in SERVERS:
        for policy, shape in (("round robin", servers), ("random", 1)):
            gaps = [_gaps(policy, servers, seed) for seed in range(SEEDS)]
            cv = 1 / math.sqrt(shape)
            law = "Erlang" if shape > 1 else "exponential"
            setting = f"{servers} servers"
            yield from _check(
                f"CV of a server's gaps, {policy}",
                setting,
                [realised_cv(some) for some in gaps],
                near(cv, tolerance * cv, f"1/√k ± {tolerance:.0%}" if shape > 1 else f"1 ± {tolerance:.0%}"),
                cv,
            )
            yield from _check(
                f"distance of a server's gaps from the {law} law, {policy}",
                setting,
                [_distance(some, shape) for some in gaps],
                Region(f"at most {distance:g}", 0.0, distance),
                None,
            )


def _check(
    quantity: str, setting: str, values: list[float], region: Region, published: float | None
) -> Iterator[Check]:
    interval = mean_interval(values)
    if interval is not None:
        yield Check(
            quantity,
            "",
            "simulated",
            interval,
            region,
            Subject(setting=setting),
            direct=True,
            published=published,
        )


def _gaps(policy: str, servers: int, seed: int) -> np.ndarray:
    arrivals_s = planned_send_s(REQUESTS, 1.0, 1.0, seed)
    if policy == "round robin":
        return round_robin_gaps_s(arrivals_s, servers)
    return random_gaps_s(arrivals_s, servers, np.random.default_rng(seed))


def _distance(gaps_s: np.ndarray, shape: int) -> float:
    """Greatest distance between the distribution functions of the gaps and of the law (Kolmogorov's), whose mean is theirs."""
    from scipy.special import gammainc

    law = gammainc(shape, np.sort(gaps_s) * shape / gaps_s.mean())
    steps = np.arange(len(gaps_s) + 1) / len(gaps_s)
    return float(max(np.max(steps[1:] - law), np.max(law - steps[:-1])))
