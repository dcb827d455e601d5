"""No request failed.

Reason: the requests that fail are those that would have taken longest, and what they did not ask of the engine made the
others faster; means over the rest are of another, lighter workload. vLLM's client raises nothing even when all fail. So the
limit is none.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided

NAME = "requests-succeeded"
MOST_FAILED = 0


def judge(evidence: Evidence) -> Gate:
    """Failed when a request has an error."""
    failed, total = evidence.failed, evidence.requests.num_rows
    message = f"{failed} of {total} requests failed" if failed else f"all {total} requests succeeded"
    return decided(NAME, failed <= MOST_FAILED, message, failed, MOST_FAILED)


GATE = ValidityGate(NAME, "errors of the requests", judge, measured_only=False)
