"""What each iteration's time went to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from burstlab.profiles.families import OVERHEAD, UNNAMED, parts
from burstlab.profiles.profile import Profile
from burstlab.profiles.sums import own_time_us, sums_by


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The time of each part in each iteration, in µs.

    `time_us` has shape (iterations, parts), its rows as `iterations`, its columns as `parts`. On a GPU launches of several
    streams can run at once, so parts may add up to more than the iteration; the overhead is the time in which none ran.
    """

    parts: tuple[str, ...]
    time_us: np.ndarray
    iterations: pa.Table

    def of_process(self, process: int) -> Breakdown:
        """The rows of one process."""
        chosen = self.iterations["process"].to_numpy() == process
        return Breakdown(self.parts, self.time_us[chosen], self.iterations.filter(pa.array(chosen)))


def breakdown(profile: Profile) -> Breakdown:
    """Launches by iteration and part. Those of no iteration are left out, those of no family are `UNNAMED`."""
    names = parts()
    count = profile.iterations.num_rows
    launches = profile.launches.select(["self_us", "process", "iteration", "part"])
    if launches["iteration"].null_count:
        launches = launches.filter(pc.is_valid(launches["iteration"]))
    part = launches["part"].combine_chunks()
    known = np.array([names.index(word) for word in part.dictionary.to_pylist()] + [names.index(UNNAMED)])
    column = known[pc.fill_null(part.indices, -1).to_numpy()]
    row = _first_rows(profile.iterations, launches["process"].to_numpy()) + launches["iteration"].to_numpy()
    times = np.bincount(
        row * len(names) + column, weights=launches["self_us"].to_numpy(), minlength=count * len(names)
    ).reshape(count, len(names))
    busy_us = profile.iterations["busy_us"].to_numpy()
    times[:, names.index(OVERHEAD)] = profile.iterations["duration_us"].to_numpy() - busy_us
    return Breakdown(names, times, profile.iterations)


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A name that no rule fits, with its launches, their time in µs, and its share of the time of all launches."""

    name: str
    launches: int
    time_us: float
    share: float


def unnamed(profile: Profile) -> list[Unnamed]:
    """All names without a family, those with the most time first."""
    strange = profile.launches.filter(pc.field("family").is_null())
    sums = sums_by(strange, "name", own_time_us(profile.launches))
    found = [Unnamed(str(name), launches, time_us, share) for name, launches, time_us, share in sums]
    return sorted(found, key=lambda one: (-one.time_us, one.name))


def _first_rows(iterations: pa.Table, process: np.ndarray) -> np.ndarray:
    """The row of `iterations` at which each launch's process begins."""
    processes, first = np.unique(iterations["process"].to_numpy(), return_index=True)
    found: np.ndarray = first[np.searchsorted(processes, process)]
    return found
