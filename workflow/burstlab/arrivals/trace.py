"""Trace replay: a stretch of real arrivals, rescaled to a request rate."""

from __future__ import annotations

import math

import numpy as np

from burstlab.errors import BurstlabError


def planned_send_s(timestamps_s: np.ndarray, requests: int, rate_per_s: float, seed: int) -> np.ndarray:
    """When each request is to leave, in seconds from the start of the run; shape (requests,), ascending.

    `timestamps_s` are a trace's arrivals, ascending, in seconds. `seed` chooses `requests` consecutive
    arrivals, every window with a positive length being equally likely. Like a gamma process here, a
    window has as many gaps as requests: the first is the gap to the arrival before the window, so the
    first request leaves after it and the last one at exactly requests/rate. Rescaling multiplies all gaps
    by one factor: their CV is the trace's, and requests that arrived at the same instant leave at the
    same instant. `rate_per_s` inf sends all at 0.

    Raises BurstlabError for a trace that is too short, not ascending or without time between arrivals,
    for fewer than one request and for a rate that is not positive.
    """
    times_s = _checked(timestamps_s, requests, rate_per_s)
    if math.isinf(rate_per_s):
        return np.zeros(requests)
    spans_s = times_s[requests:] - times_s[:-requests]
    starts = np.flatnonzero(spans_s > 0)
    if starts.size == 0:
        raise BurstlabError(f"no {requests} consecutive arrivals of the trace have any time between them")
    start = int(starts[np.random.default_rng(seed).integers(starts.size)])
    since_s = times_s[start + 1 : start + requests + 1] - times_s[start]
    planned_s: np.ndarray = since_s / spans_s[start] * (requests / rate_per_s)
    return planned_s


def _checked(timestamps_s: np.ndarray, requests: int, rate_per_s: float) -> np.ndarray:
    times_s = np.asarray(timestamps_s, dtype=float)
    if requests < 1:
        raise BurstlabError(f"requests is {requests}; a run needs at least 1")
    if not rate_per_s > 0:
        raise BurstlabError(f"request rate is {rate_per_s}; it must be above 0 requests per second, or inf")
    if times_s.size < requests + 1:
        raise BurstlabError(
            f"the trace has {times_s.size} arrivals; replaying {requests} requests needs {requests + 1}, "
            "because the gap before the first request counts"
        )
    if not np.isfinite(times_s).all() or (np.diff(times_s) < 0).any():
        raise BurstlabError("the trace's timestamps must be finite and ascending")
    return times_s
