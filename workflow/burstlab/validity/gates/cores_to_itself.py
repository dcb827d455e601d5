"""Nothing else worked on the session's cores.

Reason: client, engine front end and, on a CPU platform, the engine itself share those cores with whatever else runs, and
lose what it takes. The kernel counts time per core; what is not the session's own process tree is others'. On a GPU
platform the cores are seldom short, so there they may be busier.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged

NAME = "cores-to-itself"
# Idle Linux services and the workflow's own process take below 1% (docs/validity.md); 5% is the smallest effect looked for.
MOST_OF_CORES = 0.05
MOST_OF_CORES_BESIDE_GPU = 0.50


def judge(evidence: Evidence) -> Gate:
    """Failed when others used more than the limit's share of the cores' time."""
    cpu = evidence.cpu
    if cpu is None or cpu.wall_s <= 0:
        return not_judged(NAME, "CPU time was not observed")
    share = max(0.0, cpu.busy_s - cpu.own_s) / (cpu.wall_s * cpu.cores)
    limit = MOST_OF_CORES_BESIDE_GPU if evidence.on_gpu else MOST_OF_CORES
    message = f"others used {share:.1%} of {cpu.cores} cores, limit {limit:.0%}"
    return decided(NAME, share <= limit, message, share, limit)


GATE = ValidityGate(NAME, "CPU time of the cores and of the session", judge)
