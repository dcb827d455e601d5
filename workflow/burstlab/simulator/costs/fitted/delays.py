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
    where a request of more iterations has more to say). What TTFT has beyond the iteration, where that ran at once and for
    this request alone, is `ingress_ps`: the median over requests. A client cannot tell how much of that comes after the
    iteration, so `egress_ps` is 0. Raises BurstlabError when fewer than 5 requests tell either.
    """
    pauses, ingress_ms = [], []
    for requests, rebuilt in cells:
        pauses.append(_pauses(requests, rebuilt))
        ingress_ms.extend(_ingress_ms(requests, rebuilt))
    rows = np.concatenate(pauses) if pauses else np.zeros((0, 3))
    if min(len(rows), len(ingress_ms)) < _FEWEST:
        raise BurstlabError(
            f"{len(rows)} requests with two tokens or more, and {len(ingress_ms)} that found the engine idle, are too few "
            f"to tell delays: {_FEWEST} of each are needed"
        )
    pause_ms, each_ms = _constants(rows)
    return Delays(
        ingress_ps=max(0, ps_from_ms(float(np.median(ingress_ms)))),
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


def _ingress_ms(requests: pa.Table, rebuilt: Rebuilt) -> list[float]:
    ttft_ms = _column(requests, "ttft_ms")
    return [
        ttft_ms[span.request] - rebuilt.batches[span.first].elapsed_ms for span in rebuilt.spans if span.alone
    ]


def _constants(rows: np.ndarray) -> tuple[float, float]:
    from scipy.optimize import nnls

    weights = 1 / np.sqrt(rows[:, 0])  # the error of a sum grows as the root of its terms
    solution, _ = nnls(rows[:, :2] * weights[:, None], rows[:, 2] * weights)
    return float(solution[0]), float(solution[1])


def _column(requests: pa.Table, name: str) -> np.ndarray:
    """By number of the request, which is the place in the table."""
    return np.asarray(requests[name].to_numpy(zero_copy_only=False), dtype=float)
