"""Memory that a job gets in one piece, when it is admitted: what engines did before paging."""
# ruff: noqa: ARG002 - the arguments are those of `Allocator`

from __future__ import annotations

from burstlab.simulator.job import Job
from burstlab.simulator.memory.at_admission import AtAdmission
from burstlab.simulator.memory.placement import Placement
from burstlab.simulator.memory.reservations import Reservation


class Contiguous(AtAdmission):
    """A slot holds a token. `reservation` says how many a job gets, and `placement` where.

    `free` is the largest hole, for no job can have more, however much is free elsewhere. So only policies that ask anew before
    they take, such as `scheduling.orca.Orca`, can use it.
    """

    __slots__ = ("_placement", "_places", "_reservation", "blocks")

    def __init__(self, reservation: Reservation, placement: Placement) -> None:
        self._reservation, self._placement = reservation, placement
        self._places: dict[Job, tuple[int, int]] = {}
        self.blocks = placement.largest()

    @property
    def slots(self) -> int:
        """All of the memory, whether one job could have it or not."""
        return self._placement.slots

    @property
    def held(self) -> int:
        """Slots that were reserved for jobs. What a placement rounds up is not: nobody asked for it."""
        return sum(self._reservation(job) for job in self._places)

    @property
    def free(self) -> int:
        """What the next job can have."""
        return self._placement.largest()

    def needs(self, job: Job, tokens: int) -> int:
        """All at once, or nothing more."""
        return 0 if job in self._places else self._reservation(job)

    def take(self, job: Job, tokens: int) -> None:
        """Set its slots aside."""
        if job not in self._places:
            self._places[job] = self._placement.take(self._reservation(job))
            job.blocks = self._places[job][1]

    def release(self, job: Job) -> None:
        """Free all."""
        self._placement.give(*self._places.pop(job))
        job.blocks = 0

    def most_tokens(self) -> int:
        """All slots that one job can have."""
        return self.blocks
