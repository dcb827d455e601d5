"""What memory for keys and values is used for, and what of it is wasted (PagedAttention, SOSP 2023, section 3.1 and figure 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from burstlab.simulator.engine import Engine
from burstlab.simulator.scheduling.policy import Plan, Policy


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of all memory, which add up to 1.

    `used` holds tokens, `reserved` will before the job that has it ends, `internal` was set aside for a job that never fills
    it, and `external` was set aside for none: it is free, or was rounded up.
    """

    used: float
    reserved: float
    internal: float
    external: float


@dataclass(slots=True)
class Watched:
    """A policy that plans as `policy` does, and notes the shares before each iteration in which jobs have to wait.

    `slots` is all memory in tokens, and `held` says how much of it has been given to jobs. While nobody waits memory is not
    what counts, and such iterations are left out.
    """

    policy: Policy
    slots: int
    held: Callable[[], int]
    _seen: list[tuple[int, int, int]] = field(default_factory=list)

    def plan(self, engine: Engine) -> Plan:
        """The next iteration, after which is planned anew."""
        plan = self.policy.plan(engine)
        if engine.waiting:
            used = engine.decodes.context + sum(job.computed for job in engine.prefilling)
            # The last token's keys and values are never stored.
            jobs = (*engine.prefilling, *engine.decodes.jobs)
            at_the_end = sum(job.prompt + job.output - 1 for job in jobs)
            held = self.held()
            self._seen.append((used, min(at_the_end, held), held))
        return plan._replace(holds=1)

    def shares(self) -> Shares | None:
        """Means over the iterations; None where nobody ever had to wait."""
        if not self._seen:
            return None
        used, filled, held = (float(mean) / self.slots for mean in np.mean(self._seen, axis=0))
        return Shares(used, filled - used, held - filled, 1 - held)
