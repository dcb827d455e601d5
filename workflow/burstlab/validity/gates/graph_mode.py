"""The CUDA graph mode that ran is the one asked for.

Reason: vLLM runs decode-only batches in full graphs and mixed ones piecewise by default, and FlashAttention 2 supports full
graphs only for uniform decodes; a mode that the backend does not support is replaced with a warning. Then a difference
between kinds of iteration is one of graphs too.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.setting import as_asked

NAME = "graph-mode"


def judge(evidence: Evidence) -> Gate:
    """Failed when the log names another mode."""
    asked = evidence.asked("engine", "cuda_graphs")
    return as_asked(NAME, evidence, None if asked == "default" else asked, "cudagraph_mode")


GATE = ValidityGate(NAME, "the engine's log", judge)
