"""Every request got as many tokens as it asked for.

Reason: with `--ignore-eos` (which the client always passes) a request ends only when it has all its tokens. A shorter one
means that the end-of-sequence token was heeded, a stream broke off, or a limit cut it: less work than the cell says. The
engine tells how each request ended; where it was not asked, the lengths of a random workload are known from its
specification.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged

NAME = "outputs-full-length"
MOST_SHORT = 0


def judge(evidence: Evidence) -> Gate:
    """Failed when a request ended before its last token."""
    short = _short_by_lengths(evidence)
    if short is None:
        short = _short_by_engine(evidence)
    if short is None:
        return not_judged(NAME, "neither the lengths asked for nor the engine's reasons to finish are known")
    total = evidence.requests.num_rows
    message = f"{short} of {total} requests ended short" if short else f"all {total} outputs have full length"
    return decided(NAME, short <= MOST_SHORT, message, short, MOST_SHORT)


def _short_by_lengths(evidence: Evidence) -> int | None:
    length = evidence.asked("workload", "output_tokens")
    if length is None or evidence.asked("workload", "range_ratio"):
        return None
    succeeded = evidence.requests.filter(evidence.requests["error"].is_null())
    return sum(1 for tokens in succeeded["output_tokens"].to_pylist() if tokens < length)


def _short_by_engine(evidence: Evidence) -> int | None:
    counters = evidence.counters
    if counters is None or counters.finished_requests is None or counters.finished_by_length is None:
        return None
    return max(0, counters.finished_requests - counters.finished_by_length)


GATE = ValidityGate(
    NAME, "the lengths asked for, or the engine's reasons to finish", judge, measured_only=False
)
