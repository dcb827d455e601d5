"""The hypervisor took no CPU time away.

Reason: on a virtual machine, time in which it wanted to run and was not let (steal, proc(5)) lengthens iterations at
random, and nothing inside tells which. Half of the smallest effect looked for is the most.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged

NAME = "no-steal"
MOST_OF_WANTED = 0.025


def judge(evidence: Evidence) -> Gate:
    """Failed when stolen time is more than the limit's share of the time that was wanted."""
    cpu = evidence.cpu
    if cpu is None:
        return not_judged(NAME, "CPU time was not observed")
    wanted_s = cpu.busy_s + cpu.interrupts_s + cpu.steal_s
    share = cpu.steal_s / wanted_s if wanted_s else 0.0
    message = f"{share:.1%} of CPU time was stolen, limit {MOST_OF_WANTED:.1%}"
    return decided(NAME, share <= MOST_OF_WANTED, message, share, MOST_OF_WANTED)


GATE = ValidityGate(NAME, "steal time of the cores", judge)
