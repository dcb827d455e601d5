"""Iterations kept to the batch limits asked for.

Reason: the limits decide how many prompts are computed beside the decodes, and their defaults differ by GPU (8192 tokens
and 1024 sequences on 70 GB and more, 2048 and 256 on an A100). Not every vLLM logs the limits it used: where the log does
not, the arguments that it repeats are compared, and in any case no iteration may have been larger than the limit.
"""

import pyarrow.compute as pc

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_applicable, not_judged
from burstlab.validity.setting import NOT_KNOWN, as_asked

NAME = "batch-limits"
_LIMITS = (
    ("max_batched_tokens", "tokens", ("max_batched_tokens", "argument_max_batched_tokens")),
    ("max_sequences", "requests", ("max_sequences", "argument_max_sequences")),
)


def judge(evidence: Evidence) -> Gate:
    """Failed when the log names another limit, or an iteration was larger than the one asked for."""
    verdicts = [_one(evidence, *limit) for limit in _LIMITS if evidence.asked("engine", limit[0]) is not None]
    if not verdicts and not evidence.asking_known:
        return not_judged(NAME, NOT_KNOWN)
    if not verdicts:
        return not_applicable(NAME, "the engine was left to choose")
    worst = min(verdicts, key=lambda gate: ("failed", "not judged", "passed").index(gate.state))
    return worst.model_copy(update={"message": "; ".join(gate.message for gate in verdicts)})


def _one(evidence: Evidence, key: str, unit: str, reported: tuple[str, ...]) -> Gate:
    limit = evidence.asked("engine", key)
    stated = as_asked(NAME, evidence, str(limit), *reported)
    if not evidence.iterations.num_rows:
        return stated
    sizes = pc.add(evidence.iterations[f"context_{unit}"], evidence.iterations[f"generation_{unit}"])
    largest = pc.max(sizes).as_py()
    if largest > limit:
        return decided(NAME, False, f"an iteration had {largest} {unit}, {key} is {limit}", largest, limit)
    if stated.state == "not judged":
        return not_judged(NAME, f"{stated.message.removeprefix('not judged: ')} (largest was {largest})")
    return stated


GATE = ValidityGate(NAME, "the engine's log and its iterations", judge)
