"""The launches and iterations in a Chrome trace of torch's profiler.

On a GPU launches are kernels, copies and fills, which belong to the calls of CUDA's runtime with the same correlation id.
On a CPU they are PyTorch's operators: they call each other, so each has its own time beside its duration. A trace is of one
process; vLLM's front end writes one as well, in which no iteration runs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from burstlab.errors import BurstlabError
from burstlab.profiles.calls import Calls
from burstlab.profiles.grid import pack
from burstlab.profiles.nesting import self_times
from burstlab.profiles.profile import Profile, assemble
from burstlab.profiles.range_name import PREFIX, STEP_PREFIX
from burstlab.profiles.raw import NONE, RawIterations, RawLaunches, Scopes, Words, lanes_of
from burstlab.profiles.torch_trace.events import CALLS, COPIES, KERNELS, OPERATORS, RANGES, SCHEMA, events

# In ns it still is a whole number of 64 bits.
_LATEST_US = 9e15


def read_torch(path: Path, need_launches: bool = True) -> Profile:
    """The profile in a trace, gzipped or not; BurstlabError where it lacks what it takes.

    With `need_launches` false a trace with iterations alone will do.
    """
    on_gpu, operators, ranges, calls = _collect(path)
    iterations, scopes = _ranges(path, ranges)
    launches = RawLaunches()
    if on_gpu.num_rows:
        _add_kernels(path, launches, on_gpu, calls, iterations, scopes)
    elif operators.num_rows:
        _add_operators(path, launches, operators, iterations, scopes)
    elif need_launches:
        raise BurstlabError(
            f"{path}: no launches: neither kernels of a GPU nor operators of a CPU in the trace"
        )
    return assemble(path, launches, iterations, list(scopes.phases))


def _collect(path: Path) -> tuple[pa.Table, pa.Table, pa.Table, pa.Table]:
    """Events on a GPU, operators, ranges and calls, with their names as numbers into a list."""
    groups: tuple[tuple[str, ...], ...] = (KERNELS + COPIES, OPERATORS, RANGES, CALLS)
    found: list[list[pa.Table]] = [[] for _ in groups]
    for block in events(path):
        for group, tables in zip(groups, found, strict=True):
            chosen = block.filter(pc.is_in(block["cat"], pa.array(group)))
            tables.append(chosen.set_column(2, "name", chosen["name"].dictionary_encode()))
    empty = SCHEMA.empty_table()
    empty = empty.set_column(2, "name", empty["name"].dictionary_encode())
    on_gpu, operators, ranges, calls = (
        pa.concat_tables([empty, *tables]).unify_dictionaries().combine_chunks() for tables in found
    )
    return on_gpu, operators, ranges, calls


def _ranges(path: Path, ranges: pa.Table) -> tuple[RawIterations, Scopes]:
    names = ranges["name"].cast(pa.string()).to_pylist()
    begin, duration = _ns(path, ranges, "ts"), _ns(path, ranges, "dur")
    processes, threads = _numbers(ranges["pid"]).tolist(), _numbers(ranges["tid"]).tolist()
    rows = list(zip(processes, threads, begin.tolist(), (begin + duration).tolist(), names, strict=True))
    iterations = RawIterations.from_rows([row for row in rows if row[4].startswith(PREFIX)])
    if not len(iterations.ranges):
        raise BurstlabError(
            f"{path}: no iteration among the ranges of the trace: names such as execute_context_2(512)_generation_20(20) "
            "were expected; is it the trace of a worker of vLLM (rank0 in its name), not of the front end?"
        )
    scopes = Scopes.from_rows(
        [(*row[1:4], row[4].removeprefix(STEP_PREFIX)) for row in rows if row[4].startswith(STEP_PREFIX)]
    )
    return iterations, scopes


def _add_kernels(
    path: Path,
    launches: RawLaunches,
    kernels: pa.Table,
    calls: pa.Table,
    iterations: RawIterations,
    scopes: Scopes,
) -> None:
    # What runs on a GPU does not say whose it is, but a trace is of one process.
    process = int(iterations.process[0])
    known = Calls(lanes_of(iterations, scopes))
    correlation = _numbers(pc.struct_field(calls["args"], "correlation"))
    known.add(np.full(calls.num_rows, process), correlation, _numbers(calls["tid"]), _ns(path, calls, "ts"))
    arguments = {name: pc.struct_field(kernels["args"], name) for name in ("correlation", "device", "stream")}
    processes = np.full(kernels.num_rows, process)
    launches.names += kernels["name"].chunk(0).dictionary.to_pylist()
    launches.add(
        known.find(processes, _numbers(arguments["correlation"])),
        start_ns=_ns(path, kernels, "ts"),
        duration_ns=_ns(path, kernels, "dur"),
        process=processes,
        device=_numbers(arguments["device"]),
        stream=_numbers(arguments["stream"]),
        name=kernels["name"].chunk(0).indices.to_numpy(),
        grid=_sizes(launches.grids, pc.struct_field(kernels["args"], "grid")),
        block=_sizes(launches.blocks, pc.struct_field(kernels["args"], "block")),
    )


def _add_operators(
    path: Path, launches: RawLaunches, operators: pa.Table, iterations: RawIterations, scopes: Scopes
) -> None:
    process, thread = _numbers(operators["pid"]), _numbers(operators["tid"])
    start, duration = _ns(path, operators, "ts"), _ns(path, operators, "dur")
    none = np.full(operators.num_rows, NONE)
    launches.names += operators["name"].chunk(0).dictionary.to_pylist()
    launches.own_ns = self_times(thread, start, start + np.maximum(duration, 0))
    launches.add(
        lanes_of(iterations, scopes).locate(process, thread, start),
        start_ns=start,
        duration_ns=duration,
        process=process,
        device=none,
        stream=none,
        name=operators["name"].chunk(0).indices.to_numpy(),
        grid=none,
        block=none,
    )


def _ns(path: Path, table: pa.Table, column: str) -> np.ndarray:
    """Times in ns; the trace has µs with three decimals."""
    times_us = table[column].to_numpy()
    # An empty value is NaN here.
    unusable = int((~(np.abs(times_us) < _LATEST_US)).sum())
    if unusable:
        raise BurstlabError(f"{path}: {unusable} events have no `{column}`, or one that is no time")
    times: np.ndarray = np.rint(times_us * 1000.0).astype(np.int64)
    return times


def _numbers(column: pa.ChunkedArray) -> np.ndarray:
    numbers: np.ndarray = pc.fill_null(column, NONE).to_numpy()
    return numbers


def _sizes(words: Words, column: pa.ChunkedArray) -> np.ndarray:
    """Numbers of the sizes; an event that has not three is without one."""
    sizes = column.combine_chunks()
    numbers = np.full(len(sizes), NONE, dtype=np.int32)
    whole = np.flatnonzero(
        pc.fill_null(pc.equal(pc.list_value_length(sizes), 3), False).to_numpy(zero_copy_only=False)
    )
    chosen = sizes.take(pa.array(whole))
    x, y, z = (pc.fill_null(pc.list_element(chosen, axis), 0).to_numpy() for axis in range(3))
    numbers[whole] = words.numbers(pack(x, y, z))
    return numbers
