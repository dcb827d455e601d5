"""Which kernels each kind of iteration took for attention and for Gated DeltaNet: packed or not, recurrent or chunked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from burstlab.profiles.profile import Profile

PARTS = ("attention", "gdn")
_FAMILY = ["kind", "part", "family"]


def paths(profile: Profile, process: int) -> Iterator[dict[str, Any]]:
    """A row for each kind of iteration and family of one process, sorted by both.

    `launches` and `time_us` (own time) are those of the family in all iterations of the kind, `with_it` are the iterations that
    have one of its launches or more, out of `iterations`. Launches of no iteration are left out.
    """
    iterations = profile.iterations.filter(pc.equal(profile.iterations["process"], process))
    of_kind = {
        row["kind"]: row["kind_count"]
        for row in iterations.group_by("kind").aggregate([("kind", "count")]).to_pylist()
    }
    launches = _plain(profile.launches, process)
    sums = launches.group_by(_FAMILY).aggregate([("self_us", "sum"), ("self_us", "count")])
    reached = launches.group_by([*_FAMILY, "iteration"]).aggregate([]).group_by(_FAMILY)
    with_it = {
        tuple(row[name] for name in _FAMILY): row["iteration_count"]
        for row in reached.aggregate([("iteration", "count")]).to_pylist()
    }
    for row in sorted(sums.to_pylist(), key=lambda row: [row[name] for name in _FAMILY]):
        yield {
            **{name: row[name] for name in _FAMILY},
            "iterations": of_kind[row["kind"]],
            "with_it": with_it[tuple(row[name] for name in _FAMILY)],
            "launches": row["self_us_count"],
            "time_us": row["self_us_sum"],
        }


def _plain(launches: pa.Table, process: int) -> pa.Table:
    """The launches of `PARTS` in iterations of a process, without dictionaries."""
    columns = launches.select([*_FAMILY, "process", "iteration", "self_us"])
    wanted = pc.and_(
        pc.and_(pc.equal(columns["process"], process), pc.is_valid(columns["iteration"])),
        pc.is_in(columns["part"].cast(pa.string()), value_set=pa.array(PARTS)),
    )
    chosen = columns.filter(pc.fill_null(wanted, False))
    for name in _FAMILY:
        chosen = chosen.set_column(chosen.schema.get_field_index(name), name, chosen[name].cast(pa.string()))
    return chosen
