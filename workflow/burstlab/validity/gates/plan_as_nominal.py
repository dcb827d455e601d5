"""The plan is one that the cell's burstiness and number of requests may give.

Reason: vLLM draws gaps from a gamma distribution of shape b and then stretches them to end at N/rate, so the CV of a plan
scatters about 1/√b, and the more the burstier (3.13 ± 0.22 at N = 1000, b = 0.1, for a nominal 3.16). A plan outside that
scatter was drawn with another b, N or generator. The limits are the lowest and highest CV of 9,999 plans drawn here: an
honest plan is outside with a chance of exactly 2 in 10,000, since all are alike. No tighter, for leaving out unusual seeds
would bias the rest.
"""

import math
from functools import lru_cache

import numpy as np

from burstlab.arrivals.dispersion import gaps_s, realised_cv
from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "plan-as-nominal"
PLANS = 9_999
_DRAWS_AT_ONCE = 2_000_000


@lru_cache(maxsize=256)
def cv_limits(requests: int, burstiness: float) -> tuple[float, float]:
    """Lowest and highest CV among `PLANS` plans of so many gaps; dimensionless.

    Stretching does not change a CV, so gaps of any scale will do.
    """
    generator = np.random.default_rng(20_260_000 + requests)
    at_once = max(1, _DRAWS_AT_ONCE // requests)
    found: list[np.ndarray] = []
    for start in range(0, PLANS, at_once):
        gaps = generator.gamma(burstiness, size=(min(at_once, PLANS - start), requests))
        found.append(gaps.std(axis=1) / gaps.mean(axis=1))
    found_cv = np.concatenate(found)
    return float(found_cv.min()), float(found_cv.max())


def judge(evidence: Evidence) -> Gate:
    """Failed when the CV of the planned gaps is outside the scatter of its burstiness."""
    burstiness = evidence.cell.arrivals.burstiness
    if evidence.all_at_once or burstiness is None:
        return not_applicable(NAME, "no gaps were drawn")
    planned_s = np.asarray(evidence.requests["planned_send_s"].to_numpy(), dtype=float)
    if not np.isfinite(planned_s).all() or planned_s.size < 2:
        return not_judged(NAME, "the plan is not known")
    planned = realised_cv(gaps_s(planned_s))
    low, high = (0.0, 1e-9) if math.isinf(burstiness) else cv_limits(planned_s.size, burstiness)
    message = f"planned CV {planned:.3f}, nominal {1 / math.sqrt(burstiness):.3f}, plans have {low:.3f} to {high:.3f}"
    return decided(NAME, low <= planned <= high, message, planned, high if planned > high else low)


GATE = ValidityGate(NAME, "planned send times", judge, measured_only=False)
