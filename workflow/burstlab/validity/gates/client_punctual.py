"""The client sent requests when it was to.

Reason: vLLM starts a request's clock when it is sent, not when it was due, so whatever the client lost in between is hidden
from TTFT and E2EL ("coordinated omission"), and it is most where bursts are. Two figures tell: the mean lateness as a share
of the mean TTFT that hides it, and the 99th percentile against the 99th percentile of TTFT, for a client that stalls now
and then. The limits are the smallest effect looked for, 5% of a mean, and 20% for the tail: the 99th percentile of a
hundred requests is one request, and on a quiet machine it was 15% at most, but for a client that stood still
(docs/validity.md). Where the session recorded the two parts of the lateness, the message says which one it was: the
schedule's slip, or tasks that started late.
"""

import numpy as np

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged

NAME = "client-punctual"
MOST_OF_MEAN_TTFT = 0.05
MOST_OF_P99_TTFT = 0.20


def judge(evidence: Evidence) -> Gate:
    """Failed when lateness is more than its share of TTFT, in the mean or in the tail."""
    if not evidence.plan_known:
        return not_judged(NAME, "the plan is not known")
    ttft_ms = np.asarray(evidence.requests["ttft_ms"].drop_null().to_numpy(), dtype=float)
    if not ttft_ms.size:
        return not_judged(NAME, "no request succeeded")
    late_ms = (evidence.send_s - evidence.planned_send_s) * 1000
    mean_share = float(late_ms.mean() / ttft_ms.mean())
    p99_share = float(np.percentile(late_ms, 99) / np.percentile(ttft_ms, 99))
    worst, limit = max(
        (mean_share, MOST_OF_MEAN_TTFT),
        (p99_share, MOST_OF_P99_TTFT),
        key=lambda pair: pair[0] / pair[1],
    )
    p50, p99 = np.percentile(late_ms, (50, 99))
    message = (
        f"late by {p50:.1f} ms (median), {p99:.1f} ms (p99): {mean_share:.1%} of mean TTFT, limit "
        f"{MOST_OF_MEAN_TTFT:.0%}; {p99_share:.1%} of its p99, limit {MOST_OF_P99_TTFT:.0%}{_parts(evidence)}"
    )
    return decided(NAME, worst <= limit, message, worst, limit)


def _parts(evidence: Evidence) -> str:
    client = None if evidence.observed is None else evidence.observed.client
    if client is None:
        return ""
    slip, delay = client.schedule_slip, client.start_delay
    return (
        f"; schedule slip p50 {slip.p50_ms:.1f}, p99 {slip.p99_ms:.1f} ms; "
        f"task start delay p50 {delay.p50_ms:.1f}, p99 {delay.p99_ms:.1f} ms"
    )


GATE = ValidityGate(NAME, "planned and real send times, TTFT", judge)
