"""The requests left at the planned mean rate.

Reason: waiting grows with load ρ as ρ/(1−ρ) (Kingman 1961), whose relative change is 1/(1−ρ) that of ρ: at ρ = 0.6 a rate
that is 1% off moves waiting by 2.5%, at 0.9 by 10%. The effects studied are 5% and more, so 1% is the most. A client that
cannot keep up is not an open loop any more (Schroeder, Wierman, Harchol-Balter, "Open versus closed", NSDI 2006).
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "rate-delivered"
MOST_RELATIVE_ERROR = 0.01


def judge(evidence: Evidence) -> Gate:
    """Failed when requests sent until the last one, per second, differ from the plan's by more than the limit."""
    if evidence.all_at_once:
        return not_applicable(NAME, "all requests were sent at once")
    if not evidence.plan_known:
        return not_judged(NAME, "the plan is not known")
    planned_s, sent_s = evidence.planned_send_s.max(), evidence.send_s.max()
    if planned_s <= 0 or sent_s <= 0:
        return not_judged(NAME, "the plan has no length")
    error = float(planned_s / sent_s) - 1
    message = f"delivered rate is {error:+.2%} of the planned one, limit {MOST_RELATIVE_ERROR:.0%}"
    return decided(NAME, abs(error) <= MOST_RELATIVE_ERROR, message, error, MOST_RELATIVE_ERROR)


GATE = ValidityGate(NAME, "planned and real send times", judge, measured_only=False)
