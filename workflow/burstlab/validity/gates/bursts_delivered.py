"""The gaps between requests came out as bursty as planned.

Reason: burstiness is the variable of the study, and a slow client smooths it: requests that should leave together leave in a
row. Planned times are known exactly, so this compares what was sent with what was planned, and no sampling is involved. In
Kingman's bound waiting goes with CV², so 2% of CV are 4% of waiting, below the smallest effect that is looked for (5%).
"""

import numpy as np

from burstlab.arrivals.dispersion import gaps_s, realised_cv
from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "bursts-delivered"
# Relative where the plan has bursts; as it stands where gaps are to be equal and the planned CV is near 0.
MOST_CV_ERROR = 0.02


def judge(evidence: Evidence) -> Gate:
    """Failed when the CV of the gaps between send times differs from that of the plan by more than the limit."""
    if evidence.all_at_once:
        return not_applicable(NAME, "all requests were sent at once")
    if not evidence.plan_known:
        return not_judged(NAME, "the plan is not known")
    planned = realised_cv(gaps_s(evidence.planned_send_s))
    sent = realised_cv(gaps_s(np.sort(evidence.send_s)))
    if not (np.isfinite(planned) and np.isfinite(sent)):
        return not_judged(NAME, "there are too few requests for a CV")
    error = (sent - planned) / max(planned, 1.0)
    message = f"CV of the gaps is {sent:.3f}, planned {planned:.3f}: {error:+.2%}, limit {MOST_CV_ERROR:.0%}"
    return decided(NAME, abs(error) <= MOST_CV_ERROR, message, error, MOST_CV_ERROR)


GATE = ValidityGate(NAME, "planned and real send times", judge, measured_only=False)
