"""How many launches found their iteration, and how."""

from __future__ import annotations

from dataclasses import dataclass

from burstlab.profiles.profile import Profile
from burstlab.profiles.sums import own_time_us, sums_by


@dataclass(frozen=True, slots=True)
class Joining:
    """Launches joined in one way: a word of `schema.JOINED`, or None for those that belong to no iteration.

    `time_us` is their own time, `share` that of the time of all launches.
    """

    joined: str | None
    launches: int
    time_us: float
    share: float


def joining(profile: Profile) -> list[Joining]:
    """All ways that occur, those with the most time first."""
    launches = profile.launches
    found = [Joining(*sums) for sums in sums_by(launches, "joined", own_time_us(launches))]
    return sorted(found, key=lambda one: -one.time_us)
