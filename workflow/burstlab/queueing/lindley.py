"""The waiting times of a single-server queue, exactly."""

import numpy as np


def waits_s(gaps_s: np.ndarray, services_s: np.ndarray) -> np.ndarray:
    """How long each customer waits before service, first come first served, from an empty system; shape (N,), seconds.

    `gaps_s[n]` is the time from customer n to customer n+1, shape (N−1,); `services_s[n]` how long customer n is served, shape
    (N,). Lindley's recursion W(n+1) = max(0, W(n) + S(n) − A(n)) (1952), written as the walk's height over its lowest
    point so far, which numpy does at once.
    """
    walk = np.concatenate([[0.0], np.cumsum(services_s[:-1] - gaps_s)])
    lowest = np.minimum.accumulate(walk)
    found: np.ndarray = walk - lowest
    return found
