"""How many launches found their iteration, and how."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow.compute as pc

from burstlab.profiles.profile import Profile


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
    launches = profile.launches.select(["joined", "self_us"])
    total = pc.sum(launches["self_us"]).as_py() or 0.0
    grouped = launches.group_by("joined").aggregate([("self_us", "sum"), ("self_us", "count")])
    found = [
        Joining(
            row["joined"],
            row["self_us_count"],
            row["self_us_sum"],
            row["self_us_sum"] / total if total else 0.0,
        )
        for row in grouped.to_pylist()
    ]
    return sorted(found, key=lambda one: -one.time_us)
