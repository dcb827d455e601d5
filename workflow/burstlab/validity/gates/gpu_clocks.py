"""The GPUs were not slowed down by heat, power brakes or hardware protection.

Reason: a lowered clock makes every kernel slower for a while, and one cell of a comparison may meet it and the other not. A
cap on power is the normal state of a loaded GPU and is reported in the message only. The rest (NVML's clock event reasons)
must be seen in at most 1 of 20 samples. There is no verdict where a driver tells no reasons, or one that is newer than the
list here and that nobody knows the meaning of.
"""

from burstlab.records.observed import UNKNOWN_REASON, GpuState
from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "gpu-clocks"
MOST_OF_SAMPLES = 0.05
NORMAL = frozenset({"software-power-cap", "sync-boost", "display-clock"})


def judge(evidence: Evidence) -> Gate:
    """Failed when a GPU was throttled in more than the limit's share of the samples."""
    if evidence.on_gpu is None:
        return not_judged(NAME, "it is not known whether the platform has GPUs")
    if not evidence.on_gpu:
        return not_applicable(NAME, "the platform has no GPU")
    states = () if evidence.observed is None else evidence.observed.gpus
    if not any(state.samples for state in states):
        return not_judged(NAME, "the GPUs were not sampled")
    worst = max(_faults(state) for state in states)
    seen = ", ".join(map(_in_words, states))
    message = f"throttling by share of samples: {seen}; limit {MOST_OF_SAMPLES:.0%}"
    if worst <= MOST_OF_SAMPLES and any(map(_in_doubt, states)):
        return not_judged(NAME, message)
    return decided(NAME, worst <= MOST_OF_SAMPLES, message, worst, MOST_OF_SAMPLES)


def _faults(state: GpuState) -> float:
    """The largest share of a reason that is a fault."""
    shares = (state.throttle_shares or {}).items()
    return max((share for name, share in shares if name not in NORMAL and not _is_unknown(name)), default=0.0)


def _in_doubt(state: GpuState) -> bool:
    if state.throttle_shares is None:
        return True
    return any(_is_unknown(name) and share > MOST_OF_SAMPLES for name, share in state.throttle_shares.items())


def _is_unknown(reason: str) -> bool:
    return reason.startswith(UNKNOWN_REASON)


def _in_words(state: GpuState) -> str:
    if state.throttle_shares is None:
        return f"{state.gpu} not told"
    return ", ".join(f"{state.gpu} {name} {share:.0%}" for name, share in state.throttle_shares.items()) or (
        f"{state.gpu} none"
    )


GATE = ValidityGate(NAME, "samples of nvidia-smi", judge)
