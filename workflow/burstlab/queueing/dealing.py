"""How a stream of arrivals looks to one of the servers among which it is dealt."""

import numpy as np


def round_robin_gaps_s(arrivals_s: np.ndarray, servers: int) -> np.ndarray:
    """Gaps between the arrivals at the first server when every `servers`-th arrival goes to it."""
    return np.diff(arrivals_s[::servers])


def random_gaps_s(arrivals_s: np.ndarray, servers: int, rng: np.random.Generator) -> np.ndarray:
    """Gaps between the arrivals at the first server when each arrival goes to a server drawn by lot."""
    mine = rng.integers(servers, size=len(arrivals_s)) == 0
    return np.diff(arrivals_s[mine])
