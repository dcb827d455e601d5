"""Iterations were scheduled one after another.

Reason: with asynchronous scheduling, vLLM's default, the next iteration is prepared while one runs, and the time that the
log gives for each means nothing (vllm/v1/metrics/loggers.py). Every figure about kinds of iteration rests on those times.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged

NAME = "async-scheduling-off"
_OFF = {"disabled", "False"}


def judge(evidence: Evidence) -> Gate:
    """Failed when the log says that it was on."""
    for key in ("async_scheduling", "argument_async_scheduling"):
        used = evidence.reported(key)
        if used is not None:
            return decided(NAME, used in _OFF, f"{key}: the engine says {used}")
    return not_judged(NAME, "the engine's log says nothing of asynchronous scheduling")


GATE = ValidityGate(NAME, "the engine's log", judge)
