"""Hardly any request was preempted.

Reason: a request that is preempted loses its KV cache and is computed again. The log counts that as generation tokens, so
kinds of iteration are wrong, and its latency is that of a full memory, not of bursts. One in a hundred requests leaves
means alone and is the most.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged
from burstlab.wording import count

NAME = "few-preemptions"
MOST_PER_REQUEST = 0.01


def judge(evidence: Evidence) -> Gate:
    """Failed when the engine preempted more often than the limit, per request."""
    preemptions = None if evidence.counters is None else evidence.counters.preemptions
    if preemptions is None:
        return not_judged(NAME, "the engine's count of preemptions is not known")
    requests = evidence.requests.num_rows
    share = preemptions / max(1, requests)
    message = (
        f"{count(preemptions, 'preemption')} in {count(requests, 'request')}, limit {MOST_PER_REQUEST:.0%}"
    )
    return decided(NAME, share <= MOST_PER_REQUEST, message, share, MOST_PER_REQUEST)


GATE = ValidityGate(NAME, "the engine's counters", judge, measured_only=False)
