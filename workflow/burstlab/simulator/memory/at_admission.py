"""What allocators share that set all of a job's memory aside when it is admitted: until it is freed, nothing changes."""

# ruff: noqa: ARG002 - an allocator is asked all that any of them wants to know

from __future__ import annotations

from burstlab.simulator.job import Job


class AtAdmission:
    """The half of an `Allocator` in which nothing happens."""

    __slots__ = ()

    def release(self, job: Job) -> None:
        """Free all."""
        raise NotImplementedError

    def join(self, job: Job, tokens: int, step: int) -> None:
        """Nothing changes."""

    def leave(self, job: Job, tokens: int, step: int) -> None:
        """Free all."""
        self.release(job)

    def stay(self, job: Job, tokens: int, step: int) -> None:
        """Nothing changes."""

    def growth(self, step: int, steps: int) -> int:
        """Decodes stay within what they have."""
        return 0

    def grow(self, step: int, steps: int) -> None:
        """Nothing to take."""
