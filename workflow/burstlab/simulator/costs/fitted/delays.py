"""The time outside iterations, from measured cells: what the log of iterations leaves of the client's times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from burstlab.errors import BurstlabError
from burstlab.simulator.clock import ps_from_ms
from burstlab.simulator.costs.fitted.from_iterations import Rebuilt
from burstlab.simulator.loop import Delays

_FEWEST = 5


def fit_delays(cells: Sequence[tuple[pa.Table, Rebuilt]]) -> Delays:
    """Delays that explain the requests of the cells, each given as its table of requests and its rebuilt iterations.

    From its first token to its last a request waits for iterations, whose durations are logged, and for the pauses between them:
    what is left of E2EL − TTFT is a constant an iteration, and another for each request in it (non-negative least squares,
    where a request of more iterations has more to say). Going back by an iteration's duration from a first token gives its
    start: by then the request had reached the scheduler, and not before the start of the iteration before. `ingress_ps` is
    the delay that so many requests agree with as possible. A client cannot tell how much of it comes after the iteration,
    so `egress_ps` is 0. Raises BurstlabError when fewer than 5 requests tell either.
    """
    pauses = [_pauses(requests, rebuilt) for requests, rebuilt in cells]
    rows = np.concatenate(pauses) if pauses else np.zeros((0, 3))
    pause_ms, each_ms = _constants(rows) if len(rows) else (0.0, 0.0)
    ranges = [
        found for requests, rebuilt in cells for found in _ingress_ms(requests, rebuilt, pause_ms, each_ms)
    ]
    if min(len(rows), len(ranges)) < _FEWEST:
        raise BurstlabError(
            f"{len(rows)} requests with two tokens or more, and {len(ranges)} whose prompt ran as the only one, are too few "
            f"to tell delays: {_FEWEST} of each are needed"
        )
    return Delays(
        ingress_ps=ps_from_ms(_agreed(ranges)),
        pause_ps=ps_from_ms(pause_ms),
        pause_each_ps=ps_from_ms(each_ms),
    )


def _pauses(requests: pa.Table, rebuilt: Rebuilt) -> np.ndarray:
    """Of each request: pauses between its tokens, requests in the iterations before them, and their length in ms."""
    elapsed_ms = np.cumsum([0.0, *(batch.elapsed_ms for batch in rebuilt.batches)])
    running = np.cumsum([0, *(batch.decodes + len(batch.chunks) for batch in rebuilt.batches)])
    decode_ms = _column(requests, "e2el_ms") - _column(requests, "ttft_ms")
    rows = [
        (
            span.last - span.first,
            running[span.last] - running[span.first],
            decode_ms[span.request] - (elapsed_ms[span.last + 1] - elapsed_ms[span.first + 1]),
        )
        for span in rebuilt.spans
        if span.last > span.first
    ]
    return np.array(rows, dtype=float).reshape(-1, 3)


def _ingress_ms(
    requests: pa.Table, rebuilt: Rebuilt, pause_ms: float, each_ms: float
) -> list[tuple[float, float]]:
    """Of each request whose whole prompt ran as the only one: the least and the greatest delay that it may have had."""
    ttft_ms, found = _column(requests, "ttft_ms"), []
    for span in rebuilt.spans:
        batch = rebuilt.batches[span.first]
        if [before for _, before in batch.chunks] != [0] or span.first == 0:
            continue
        most_ms = ttft_ms[span.request] - batch.elapsed_ms
        previous = rebuilt.batches[span.first - 1]
        running = previous.decodes + len(previous.chunks)
        # An idle engine waits: then it was seen at once, and nothing bounds it from below.
        since_ms = np.inf if span.alone else previous.elapsed_ms + pause_ms + each_ms * running
        if most_ms > 0:
            found.append((max(0.0, float(most_ms - since_ms)), float(most_ms)))
    return found


def _agreed(ranges: list[tuple[float, float]]) -> float:
    """The middle of the stretch that lies in the most ranges."""
    edges = sorted({edge for pair in ranges for edge in pair})
    middles = (np.array(edges[1:]) + np.array(edges[:-1])) / 2
    least, most = np.sort([pair[0] for pair in ranges]), np.sort([pair[1] for pair in ranges])
    agreeing = np.searchsorted(least, middles) - np.searchsorted(most, middles)
    best = middles[agreeing == agreeing.max()]
    return float(best[len(best) // 2])


def _constants(rows: np.ndarray) -> tuple[float, float]:
    from scipy.optimize import nnls

    weights = 1 / np.sqrt(rows[:, 0])  # the error of a sum grows as the root of its terms
    solution, _ = nnls(rows[:, :2] * weights[:, None], rows[:, 2] * weights)
    return float(solution[0]), float(solution[1])


def _column(requests: pa.Table, name: str) -> np.ndarray:
    """By number of the request, which is the place in the table."""
    return np.asarray(requests[name].to_numpy(zero_copy_only=False), dtype=float)
