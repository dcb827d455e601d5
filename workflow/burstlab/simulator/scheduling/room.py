"""Room for the next step of all decodes."""

from __future__ import annotations

from burstlab.simulator.engine import Engine


def make_room(engine: Engine) -> bool:
    """Preempt jobs, the last admitted first, until each decode can take one more token; says whether any was.

    vLLM gives blocks to one request after the other and, where none is left, preempts the last one
    (`Scheduler.schedule` in vllm/v1/core/sched/scheduler.py, 0.32). The same requests remain.
    """
    memory, decodes = engine.memory, engine.decodes
    if memory.free >= len(decodes.jobs):
        return False
    before = engine.preemptions
    while memory.growth(decodes.step, 1) > memory.free:
        engine.preempt_last()
    return engine.preemptions > before


def room_left(engine: Engine) -> int:
    """Free blocks that the next step of the decodes leaves."""
    memory = engine.memory
    return memory.free - memory.growth(engine.decodes.step, 1)
