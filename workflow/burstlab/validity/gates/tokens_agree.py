"""Client and engine counted the same tokens.

Reason: the client counts what the stream tells it, the engine what it made. Where they differ, the cell's requests were not
the only ones on the engine, or a stream lost tokens; either way TPOT divides by the wrong number.
"""

import pyarrow.compute as pc

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged

NAME = "tokens-agree"
MOST_DIFFERENCE = 0


def judge(evidence: Evidence) -> Gate:
    """Failed when the engine's counters and the client's sums differ, in tokens."""
    counters = evidence.counters
    if counters is None or counters.prompt_tokens is None or counters.generation_tokens is None:
        return not_judged(NAME, "the engine's counts of tokens are not known")
    if evidence.failed:
        return not_judged(NAME, "requests failed, and nobody knows how far they came")
    prompt = counters.prompt_tokens - (pc.sum(evidence.requests["prompt_tokens"]).as_py() or 0)
    output = counters.generation_tokens - (pc.sum(evidence.requests["output_tokens"]).as_py() or 0)
    worst = max(prompt, output, key=abs)
    message = f"the engine counted {prompt:+d} prompt and {output:+d} output tokens against the client"
    return decided(NAME, abs(worst) <= MOST_DIFFERENCE, message, worst, MOST_DIFFERENCE)


GATE = ValidityGate(NAME, "the engine's counters and the tokens of the requests", judge)
