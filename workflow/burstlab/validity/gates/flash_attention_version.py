"""The version of FlashAttention that ran is the one asked for.

Reason: version 2 packs grouped heads only where every query has length 1, versions 3 and 4 always (vLLM pull request 58013
and the sources of flash-attn), so mixed batches cost differently; and the default depends on the GPU: 3 on Hopper, 4 on
Blackwell, else 2.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.setting import as_asked

NAME = "flash-attention-version"


def judge(evidence: Evidence) -> Gate:
    """Failed when the log names another version."""
    version = evidence.asked("engine", "flash_attn_version")
    return as_asked(NAME, evidence, None if version is None else str(version), "flash_attn_version")


GATE = ValidityGate(NAME, "the engine's log", judge)
