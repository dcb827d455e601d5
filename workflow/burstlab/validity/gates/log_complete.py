"""The iteration log has every token that was computed.

Reason: shares and costs of kinds of iteration come from the log, and lines vanish in silence: with log statistics off, with
more than one API server, when the disk is full, when a line is cut. The log counts prompt tokens as context and every
output token but a request's first, which its last prompt chunk yields, as generation. So context tokens = prompt tokens and
generation tokens = output tokens − requests, exactly, where nothing failed, was cached or was preempted. Cells of three
studies agree to the token.
"""

import pyarrow as pa
import pyarrow.compute as pc

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged
from burstlab.wording import count

NAME = "log-complete"
MOST_MISSING = 0


def judge(evidence: Evidence) -> Gate:
    """Failed when tokens in the log and tokens of the requests differ, or lines could not be read."""
    if not evidence.iterations.num_rows and evidence.log_lines.unparsed == 0:
        if evidence.observed is None:
            return not_judged(NAME, "there is no iteration log")
        return decided(NAME, False, "the engine logged no iteration")
    if evidence.log_lines.unparsed:
        lines = evidence.log_lines.unparsed
        return decided(
            NAME, False, f"{count(lines, 'line')} of the iteration log could not be read", lines, MOST_MISSING
        )
    if evidence.failed:
        return not_judged(NAME, "requests failed, and nobody knows how far they came")
    if evidence.counters is not None and (
        evidence.counters.preemptions or evidence.counters.prefix_cache_hits
    ):
        return not_judged(NAME, "tokens were computed twice or taken from the cache")
    return _compare(evidence)


def _compare(evidence: Evidence) -> Gate:
    requests = evidence.requests
    context = _sum(evidence.iterations, "context_tokens") - _sum(requests, "prompt_tokens")
    generation = _sum(evidence.iterations, "generation_tokens") - (
        _sum(requests, "output_tokens") - requests.num_rows
    )
    worst = max(context, generation, key=abs)
    message = f"context tokens {context:+d}, generation tokens {generation:+d} against those of the requests"
    return decided(NAME, abs(worst) <= MOST_MISSING, message, worst, MOST_MISSING)


def _sum(table: pa.Table, column: str) -> int:
    return int(pc.sum(table[column]).as_py() or 0)


GATE = ValidityGate(NAME, "the iteration log and the tokens of the requests", judge, measured_only=False)
