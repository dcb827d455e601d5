"""The scheduler that ran is the one asked for.

Reason: which requests share an iteration is what the scheduler decides. vLLM names a scheduler of someone else's in a warning
("Using custom scheduler class …") and its own not at all, so for the default the log must be without that warning.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged
from burstlab.validity.setting import NOT_KNOWN, as_asked

NAME = "scheduler"


def judge(evidence: Evidence) -> Gate:
    """Failed when the log names another scheduler, or one where none was asked for."""
    asked = evidence.asked("engine", "scheduler")
    if asked is None:
        return not_judged(NAME, NOT_KNOWN)
    if asked != "default":
        return as_asked(NAME, evidence, asked, "scheduler")
    if not evidence.engine_reported:
        return not_judged(NAME, "the engine's log was not read")
    used = evidence.reported("scheduler")
    return decided(NAME, used is None, f"asked for vLLM's own; the engine's log names {used or 'no other'}")


GATE = ValidityGate(NAME, "the engine's log", judge)
