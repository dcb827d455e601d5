"""Prompts were split over iterations, or not, as asked.

Reason: without chunks a long prompt is one long iteration in which no token is made; with them it is many mixed ones. vLLM
switches chunks off or on by itself for some models.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.setting import as_asked

NAME = "chunked-prefill"


def judge(evidence: Evidence) -> Gate:
    """Failed when the log says otherwise."""
    asked = evidence.asked("engine", "chunked_prefill")
    return as_asked(NAME, evidence, None if asked is None else str(asked), "chunked_prefill")


GATE = ValidityGate(NAME, "the engine's log", judge)
