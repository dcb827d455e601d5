"""What a scheduling policy is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from burstlab.simulator.engine import Engine
from burstlab.simulator.job import Job

FOREVER = 1 << 62


class Plan(NamedTuple):
    """The next iteration: prefilling jobs with the tokens that each computes, and whether the decodes take a step.

    Memory for the chunks has been taken. A plan without chunks stays the same for `holds` iterations as long as no job arrives
    or finishes, so that the loop may take them at once.
    """

    chunks: Sequence[tuple[Job, int]]
    decode: bool
    holds: int = FOREVER


DECODE = Plan((), True)
DECODE_ONCE = Plan((), True, 1)


class Policy(Protocol):
    """Decides what runs; may admit and preempt jobs, and takes memory for what it plans."""

    def plan(self, engine: Engine) -> Plan:
        """The next iteration. Decodes that take a step must find room for it: `make_room`."""
