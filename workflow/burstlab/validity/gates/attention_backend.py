"""The attention backend that ran is the one asked for.

Reason: the backend decides what a mixed batch costs, which is the study's question. vLLM may fall back to another with only a
warning, and ignores VLLM_ATTENTION_BACKEND altogether (vLLM issue 50292), so the engine's log counts, not the command line. On
a CPU it names a backend only to say that it cannot use it, and takes its own.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided
from burstlab.validity.setting import as_asked

NAME = "attention-backend"


def judge(evidence: Evidence) -> Gate:
    """Failed when the log names another backend, or says that the one asked for cannot be used."""
    asked = evidence.asked("engine", "attention_backend")
    refused = evidence.reported("refused_attention_backend")
    if asked is not None and refused is not None and refused.casefold() == asked.casefold():
        return decided(NAME, False, f"asked for {asked}, the engine says that it cannot use {refused}")
    return as_asked(NAME, evidence, asked, "attention_backend")


GATE = ValidityGate(NAME, "the engine's log", judge)
