"""How bursty a schedule came out."""

from __future__ import annotations

import numpy as np


def gaps_s(planned_send_s: np.ndarray) -> np.ndarray:
    """Interarrival gaps in seconds, shape (N,): the first is the time from the start to the first
    request.
    """
    return np.diff(np.asarray(planned_send_s, dtype=float), prepend=0.0)


def realised_cv(gaps: np.ndarray) -> float:
    """Standard deviation of `gaps` over their mean, dimensionless; NaN where it is undefined (no gaps, or
    all zero).

    The population form, because the gaps are the whole schedule and not a sample of it.
    """
    values = np.asarray(gaps, dtype=float)
    if values.size == 0 or values.mean() == 0:
        return float("nan")
    return float(values.std() / values.mean())
