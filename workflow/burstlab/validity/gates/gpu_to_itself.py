"""No other process computed on the GPUs.

Reason: two processes on one GPU take turns, and each measures the other. In most containers nvidia-smi does not see the
session's own processes; then it cannot tell others from them, and there is no verdict. Nor is there one where the GPU is a
MIG slice and its card has other processes: nvidia-smi names the card of a process, not its slice.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_applicable, not_judged
from burstlab.wording import count

NAME = "gpu-to-itself"
MOST_OTHERS = 0


def judge(evidence: Evidence) -> Gate:
    """Failed when compute processes of others were on the GPUs."""
    if evidence.on_gpu is None:
        return not_judged(NAME, "it is not known whether the platform has GPUs")
    if not evidence.on_gpu:
        return not_applicable(NAME, "the platform has no GPU")
    others = None if evidence.observed is None else evidence.observed.other_gpu_processes
    if others is None:
        return not_judged(NAME, "nvidia-smi does not tell whose processes are on the GPUs")
    message = f"{count(others, 'other process', 'other processes')} on the GPUs"
    return decided(NAME, others <= MOST_OTHERS, message, others, MOST_OTHERS)


GATE = ValidityGate(NAME, "nvidia-smi's list of processes", judge)
