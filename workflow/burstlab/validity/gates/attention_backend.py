"""The attention backend that ran is the one asked for.

Reason: the backend decides what a mixed batch costs, which is the study's question. vLLM may fall back to another with only a
warning, and ignores VLLM_ATTENTION_BACKEND altogether (vLLM issue 50292), so the engine's log counts, not the command line.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.setting import as_asked

NAME = "attention-backend"


def judge(evidence: Evidence) -> Gate:
    """Failed when the log names another backend."""
    return as_asked(NAME, evidence, evidence.asked("engine", "attention_backend"), "attention_backend")


GATE = ValidityGate(NAME, "the engine's log", judge)
