"""The GPUs were not slowed down by heat, power brakes or hardware protection.

Reason: a lowered clock makes every kernel slower for a while, and one cell of a comparison may meet it and the other not. A
cap on power is the normal state of a loaded GPU and is reported in the message only. The rest (NVML's clock event reasons)
must be seen in at most 1 of 20 samples.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "gpu-clocks"
MOST_OF_SAMPLES = 0.05
NORMAL = frozenset({"software-power-cap", "sync-boost", "display-clock"})


def judge(evidence: Evidence) -> Gate:
    """Failed when a GPU was throttled in more than the limit's share of the samples."""
    if not evidence.on_gpu:
        return not_applicable(NAME, "the platform has no GPU")
    states = () if evidence.observed is None else evidence.observed.gpus
    if not any(state.samples for state in states):
        return not_judged(NAME, "the GPUs were not sampled")
    shares = {
        f"{state.gpu} {reason}": share for state in states for reason, share in state.throttle_shares.items()
    }
    worst = max((share for name, share in shares.items() if name.split()[-1] not in NORMAL), default=0.0)
    seen = ", ".join(f"{name} {share:.0%}" for name, share in shares.items()) or "none"
    message = f"throttling by share of samples: {seen}; limit {MOST_OF_SAMPLES:.0%}"
    return decided(NAME, worst <= MOST_OF_SAMPLES, message, worst, MOST_OF_SAMPLES)


GATE = ValidityGate(NAME, "samples of nvidia-smi", judge)
