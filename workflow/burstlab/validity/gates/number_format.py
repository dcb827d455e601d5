"""The model ran in the number format asked for.

Reason: float32 in place of bfloat16 doubles the bytes that a decode step reads, and on a CPU either may be several times
slower than the other.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.setting import as_asked

NAME = "number-format"


def judge(evidence: Evidence) -> Gate:
    """Failed when the log names another format."""
    asked = evidence.asked("model", "dtype")
    return as_asked(NAME, evidence, None if asked == "auto" else asked, "dtype")


GATE = ValidityGate(NAME, "the engine's log", judge)
