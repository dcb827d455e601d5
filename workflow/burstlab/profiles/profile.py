"""A profile: what was launched, in which iterations, and what could not be told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from burstlab.errors import BurstlabError
from burstlab.profiles.columns import nullable, words
from burstlab.profiles.grid import size_text, unpack
from burstlab.profiles.launch_families import family_columns, family_numbers
from burstlab.profiles.raw import NONE, RawIterations, RawLaunches
from burstlab.profiles.schema import ITERATIONS, JOINED, LAUNCHES
from burstlab.profiles.spans import spans


@dataclass(frozen=True, slots=True)
class Profile:
    """The tables of one trace: `launches` as `schema.LAUNCHES`, `iterations` as `schema.ITERATIONS`."""

    path: Path
    launches: pa.Table
    iterations: pa.Table


def assemble(path: Path, launches: RawLaunches, iterations: RawIterations, phases: list[str]) -> Profile:
    """The tables from what a reader found in the trace at `path`; BurstlabError where its clock went backwards."""
    times = {name: launches.take(name) for name in ("start_ns", "duration_ns", "iteration", "process")}
    _check_clock(path, times["duration_ns"], iterations)
    table = _iterations(iterations, times)
    # Columns are given away one by one: millions of launches should be in memory once.
    start_us = pa.array(times.pop("start_ns") / 1000.0)
    duration_us = pa.array(times.pop("duration_ns") / 1000.0)
    self_us = duration_us if launches.own_ns is None else pa.array(launches.own_ns / 1000.0)
    columns = {
        "start_us": start_us,
        "duration_us": duration_us,
        "self_us": self_us,
        "process": pa.array(times.pop("process")),
        **_what(launches),
        **_where(table, times.pop("iteration")),
        "phase": words(launches.take("phase"), phases),
        "joined": words(launches.take("joined"), list(JOINED)),
        **{name: nullable(launches.take(name)) for name in ("thread", "device", "stream")},
    }
    return Profile(path, pa.table([columns[name] for name in LAUNCHES.names], schema=LAUNCHES), table)


def _what(launches: RawLaunches) -> dict[str, pa.Array]:
    """What was launched: name, family, part, grid, block."""
    name, grid = launches.take("name"), launches.take("grid")
    grids = [unpack(packed) for packed in launches.grids.values]
    family = family_numbers(launches.names, name, grids, grid)
    return {
        "name": words(name, launches.names),
        **family_columns(family),
        "grid": words(grid, [size_text(size) for size in grids]),
        "block": words(
            launches.take("block"), [size_text(unpack(packed)) for packed in launches.blocks.values]
        ),
    }


def _where(iterations: pa.Table, iteration: np.ndarray) -> dict[str, pa.Array]:
    """The number of each launch's iteration in its process, and its kind."""
    in_process = np.append(iterations["iteration"].to_numpy(), NONE).astype(np.int32)
    of_iteration = iterations["kind"].to_pylist()
    kinds = list(dict.fromkeys(of_iteration))
    kind = np.array([*map(kinds.index, of_iteration), NONE], dtype=np.int8)
    return {"iteration": nullable(in_process[iteration]), "kind": words(kind[iteration], kinds)}


def _check_clock(path: Path, duration: np.ndarray, iterations: RawIterations) -> None:
    backwards = int((duration < 0).sum())
    if backwards:
        raise BurstlabError(
            f"{path}: {backwards} of {len(duration)} launches end before they begin: the clock went backwards"
        )
    ranges = iterations.ranges
    backwards = int((ranges.end < ranges.begin).sum())
    if backwards:
        raise BurstlabError(
            f"{path}: {backwards} of {len(ranges)} iteration ranges end before they begin: the clock went backwards"
        )


def _iterations(iterations: RawIterations, launches: dict[str, np.ndarray]) -> pa.Table:
    ranges, numbers = iterations.ranges, launches["iteration"]
    end = launches["start_ns"] + launches["duration_ns"]
    tables = []
    for process in np.unique(iterations.process).tolist():
        chosen = np.flatnonzero(iterations.process == process)
        first, count = int(chosen[0]), len(chosen)
        mine = launches["process"] == process
        everything = bool(mine.all())
        own = numbers if everything else numbers[mine]
        own = np.where((own >= first) & (own < first + count), own - first, NONE)
        found = spans(
            ranges.begin[chosen],
            ranges.end[chosen],
            own,
            launches["start_ns"] if everything else launches["start_ns"][mine],
            end if everything else end[mine],
        )
        batches = iterations.batches[first : first + count]
        columns = [
            np.full(count, process, dtype=np.int32),
            np.arange(count, dtype=np.int32),
            found.begin / 1000.0,
            (found.end - found.begin) / 1000.0,
            (ranges.end[chosen] - ranges.begin[chosen]) / 1000.0,
            found.busy / 1000.0,
            np.bincount(own[own >= 0], minlength=count),
            *(
                np.array([getattr(batch, field) for batch in batches], dtype=np.int64)
                for field in (
                    "context_requests",
                    "context_tokens",
                    "generation_requests",
                    "generation_tokens",
                )
            ),
        ]
        kinds = pa.array([batch.kind for batch in batches], pa.string())
        tables.append(pa.table([*map(pa.array, columns), kinds], schema=ITERATIONS))
    return pa.concat_tables(tables) if tables else ITERATIONS.empty_table()
