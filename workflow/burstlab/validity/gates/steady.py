"""The engine kept up with the arrivals: no queue grew through the run.

Reason: above its capacity an engine has no steady state, so means depend on how long one waits, and burstiness hardly
matters. Cells that send all at once, to find the capacity, are so by nature, and the gate does not apply to them.

The number of requests in the system tells, waiting or running alike (without a limit on the batch nothing waits, the batch
grows). Its means over equal pieces of the run are regressed on time, with the interval of Newey and West (Econometrica 55,
1987), since neighbouring pieces are alike. The slope over the rate of arrivals is the share of them that piled up: 1 −
1/load in the long run. Seconds of bursty arrivals end in a pile now and then by chance, so a cell fails only if the 99%
interval of that share is wholly above a quarter: an engine that serves three of four. How often that fails a good cell, and
finds a bad one, is in docs/validity.md.
"""

import numpy as np
from scipy import stats

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "steady"
CONFIDENCE = 0.99
MOST_PILED_UP = 0.25
PIECES = 24
LAGS = 3
LEAST_REQUESTS = 24


def judge(evidence: Evidence) -> Gate:
    """Failed when more than the limit's share of the arrivals piled up."""
    if evidence.all_at_once:
        return not_applicable(NAME, "all requests were sent at once: the engine is full by nature")
    done = evidence.sent.filter(evidence.sent["e2el_ms"].is_valid())
    if done.num_rows < LEAST_REQUESTS:
        return not_judged(NAME, f"{done.num_rows} requests are too few, it takes {LEAST_REQUESTS}")
    send_s = np.asarray(done["send_s"].to_numpy(), dtype=float)
    if send_s.min() == send_s.max():
        return not_judged(NAME, "all requests were sent at one moment")
    order = np.argsort(send_s)
    stay_s = np.asarray(done["e2el_ms"].to_numpy(), dtype=float) / 1000
    share, low, high = piled_up(send_s[order], stay_s[order])
    message = (
        f"{share:.1%} of the arrivals piled up ({CONFIDENCE:.0%} interval {low:.1%} to {high:.1%}), "
        f"limit {MOST_PILED_UP:.0%}"
    )
    return decided(NAME, low <= MOST_PILED_UP, message, share, MOST_PILED_UP)


def piled_up(send_s: np.ndarray, stay_s: np.ndarray) -> tuple[float, float, float]:
    """Share of the arrivals by which the number in the system grew, and its interval; dimensionless.

    `send_s` ascending and `stay_s`, shape (requests,), in seconds: when each came and how long it stayed.
    """
    edges_s = np.linspace(send_s[0], send_s[-1], PIECES + 1)
    middle_s = (edges_s[:-1] + edges_s[1:]) / 2
    slope, error = trend(middle_s, mean_in_system(edges_s, send_s, stay_s))
    rate_per_s = (send_s.size - 1) / (send_s[-1] - send_s[0])
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, PIECES - 2 - LAGS)) * error
    return slope / rate_per_s, (slope - reach) / rate_per_s, (slope + reach) / rate_per_s


def mean_in_system(edges_s: np.ndarray, send_s: np.ndarray, stay_s: np.ndarray) -> np.ndarray:
    """Mean number of requests in the system between each two neighbouring edges; shape (edges − 1,)."""
    # Time in the system up to t, over all requests, is the sum of clipped stays.
    spent = np.clip(edges_s[:, None] - send_s[None, :], 0.0, stay_s[None, :]).sum(axis=1)
    return np.asarray(np.diff(spent) / np.diff(edges_s))


def trend(time_s: np.ndarray, values: np.ndarray) -> tuple[float, float]:
    """Slope of `values` on `time_s` by least squares, and its standard error after Newey and West (1987, equation 5)."""
    design = np.column_stack([np.ones_like(time_s), time_s - time_s.mean()])
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ values
    scores = design * (values - design @ coefficients)[:, None]
    middle = scores.T @ scores
    for lag in range(1, LAGS + 1):
        together = scores[lag:].T @ scores[:-lag]
        middle += (1 - lag / (LAGS + 1)) * (together + together.T)
    covariance = inverse @ middle @ inverse * (len(values) / (len(values) - 2))
    return float(coefficients[1]), float(np.sqrt(max(0.0, covariance[1, 1])))


GATE = ValidityGate(NAME, "send times and E2EL of the requests", judge, measured_only=False)
