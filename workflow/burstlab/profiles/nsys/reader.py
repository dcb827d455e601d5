"""The launches and iterations in an export of nsys, of versions from 2022 on.

The schema is that of Nsight Systems' user guide, "SQLite Schema Reference"; nsys leaves out tables without rows, and
columns came and went:

- the text of NVTX ranges stands in `text`, or in StringIds under `textId`;
- kernels of CUDA graphs are traced one by one, with `graphNodeId` and the correlation id of the graph's launch, only with
  `--cuda-graph-trace=node`; by default a graph is one row of CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
- copies and fills have tables of their own.

vLLM's workers push a range around each iteration while they profile (`--profiler-config.profiler=cuda`, started through
/start_profile), and ranges for its steps where VLLM_NVTX_SCOPES_FOR_PROFILING is set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.profiles.calls import Calls
from burstlab.profiles.nsys.source import MISSING, NVTX, STRINGS, Column, Source
from burstlab.profiles.profile import Profile, assemble
from burstlab.profiles.range_name import PREFIX, STEP_PREFIX
from burstlab.profiles.raw import RawIterations, RawLaunches, Scopes, Words, lanes_of

KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
COPIES = "CUPTI_ACTIVITY_KIND_MEMCPY"
FILLS = "CUPTI_ACTIVITY_KIND_MEMSET"
GRAPHS = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
RUNTIME = "CUPTI_ACTIVITY_KIND_RUNTIME"

# Documented in nsys-exporter: bits 24 and up name the process, those below the thread.
_THREAD_BITS = 24
_MASK = (1 << _THREAD_BITS) - 1
# ENUM_CUDA_MEMCPY_OPER
_COPY_KINDS = {
    1: "Host-to-Device",
    2: "Device-to-Host",
    3: "Host-to-Array",
    4: "Array-to-Host",
    5: "Array-to-Array",
    6: "Array-to-Device",
    7: "Device-to-Array",
    8: "Device-to-Device",
    9: "Host-to-Host",
    10: "Peer-to-Peer",
    11: "Unified Host-to-Device",
    12: "Unified Device-to-Host",
    13: "Unified Device-to-Device",
}


@dataclass(frozen=True, slots=True)
class _Sort:
    """A table of launches: the column of what names one, and how the name is made of it (None: a string's id)."""

    table: str
    named_by: tuple[str, ...]
    name: Callable[[int], str] | None


_SORTS = (
    _Sort(KERNELS, ("demangledName", "shortName", "mangledName"), None),
    _Sort(COPIES, ("copyKind",), lambda kind: f"CUDA memcpy {_COPY_KINDS.get(kind, f'of kind {kind}')}"),
    _Sort(FILLS, ("value",), lambda _: "CUDA memset"),
    _Sort(GRAPHS, ("graphId",), lambda graph: f"CUDA graph {graph}"),
)


def read_nsys(source: Source, need_launches: bool = True) -> Profile:
    """The profile in an export of nsys.

    With `need_launches` false an export without any activity of a GPU will do, as a machine without one makes. Raises
    BurstlabError where the export lacks what it takes.
    """
    tables = source.tables()
    iterations, scopes = _ranges(source, tables)
    if need_launches and not any(sort.table in tables for sort in _SORTS):
        raise BurstlabError(
            f"{source.path}: no launches: none of the tables {', '.join(sort.table for sort in _SORTS)}; "
            "profile with `nsys --trace=cuda,nvtx`, on a machine with a GPU"
        )
    calls = _calls(source, tables, iterations, scopes)
    launches = RawLaunches()
    for sort in _SORTS:
        if sort.table in tables:
            _add_launches(source, tables[sort.table], sort, calls, launches)
    del calls  # it may be as large as what follows
    return assemble(source.path, launches, iterations, list(scopes.phases))


def _ranges(source: Source, tables: Mapping[str, frozenset[str]]) -> tuple[RawIterations, Scopes]:
    if not tables:
        raise BurstlabError(f"{source.path}: it has no tables; is it an export of nsys?")
    if NVTX not in tables:
        raise BurstlabError(
            f"{source.path}: no NVTX ranges (table {NVTX}), so launches cannot be joined to iterations; profile with "
            "`nsys --trace=cuda,nvtx` and vLLM's `--profiler-config.profiler=cuda`"
        )
    _require(source, tables, NVTX, ("start", "end", "globalTid"))
    if not tables[NVTX] & {"text", "textId"}:
        raise BurstlabError(f"{source.path}: table {NVTX} has neither a column text nor textId")
    found = _whole(source, source.ranges((PREFIX, STEP_PREFIX)))
    iterations = RawIterations.from_rows(
        [
            (int(_pid(thread)), thread, begin, end, text)
            for thread, begin, end, text in found
            if text.startswith(PREFIX)
        ]
    )
    if not len(iterations.ranges):
        raise BurstlabError(
            f"{source.path}: no iteration among its NVTX ranges: names such as "
            "execute_context_2(512)_generation_20(20) were expected; run vLLM with `--profiler-config.profiler=cuda`, and "
            "start the profile through its address /start_profile"
        )
    scopes = Scopes.from_rows(
        [
            (thread, begin, end, text.removeprefix(STEP_PREFIX))
            for thread, begin, end, text in found
            if text.startswith(STEP_PREFIX)
        ]
    )
    return iterations, scopes


def _whole(source: Source, ranges: Sequence[tuple[Any, Any, Any, str]]) -> list[tuple[int, int, int, str]]:
    """The ranges; BurstlabError where a time or a thread is no number."""
    if not all(isinstance(value, int) for row in ranges for value in row[:3]):
        raise BurstlabError(f"{source.path}: table {NVTX} has ranges whose thread, start or end is no number")
    return list(ranges)


def _calls(
    source: Source, tables: Mapping[str, frozenset[str]], iterations: RawIterations, scopes: Scopes
) -> Calls:
    calls = Calls(lanes_of(iterations, scopes))
    if RUNTIME not in tables:
        return calls
    _require(source, tables, RUNTIME, ("start", "globalTid", "correlationId"))
    wanted: dict[str, Column] = {"start": "start", "thread": "globalTid", "correlation": "correlationId"}
    for part in source.rows(RUNTIME, wanted):
        calls.add(_pid(part["thread"]), part["correlation"], part["thread"], part["start"])
    return calls


def _add_launches(
    source: Source, columns: frozenset[str], sort: _Sort, calls: Calls, launches: RawLaunches
) -> None:
    named_by = next((name for name in sort.named_by if name in columns), None)
    if named_by is None and sort.name is None:
        raise BurstlabError(
            f"{source.path}: table {sort.table} has none of the columns {', '.join(sort.named_by)}"
        )
    wanted: dict[str, Column] = {
        "start": "start",
        "end": "end",
        "correlation": "correlationId",
        "pid": "globalPid",
    }
    _require(source, {sort.table: columns}, sort.table, ("start", "end", "correlationId", "globalPid"))
    optional: dict[str, Column] = {"device": "deviceId", "stream": "streamId"}
    wanted |= {name: column for name, column in optional.items() if column in columns}
    if named_by is not None:
        wanted["name"] = named_by
    for name in ("grid", "block"):
        size = (f"{name}X", f"{name}Y", f"{name}Z")
        if columns.issuperset(size):
            wanted[name] = size
    words = Words()
    first = len(launches.names)
    for part in source.rows(sort.table, wanted):
        count = len(part["start"])
        none = np.full(count, MISSING)
        process = _pid(part["pid"])
        launches.add(
            calls.find(process, part["correlation"]),
            start_ns=part["start"],
            duration_ns=part["end"] - part["start"],
            process=process,
            device=part.get("device", none),
            stream=part.get("stream", none),
            name=words.numbers(part.get("name", none)) + first,
            grid=_sizes(launches.grids, part.get("grid", none)),
            block=_sizes(launches.blocks, part.get("block", none)),
        )
    launches.names += _names(source, sort, words.values)


def _sizes(words: Words, sizes: np.ndarray) -> np.ndarray:
    known = sizes >= 0
    if known.all():
        return words.numbers(sizes)
    numbers = np.full(len(sizes), MISSING, dtype=np.int32)
    numbers[known] = words.numbers(sizes[known])
    return numbers


def _names(source: Source, sort: _Sort, ids: list[int]) -> list[str]:
    if sort.name is not None:
        return [sort.name(number) for number in ids]
    found = source.strings(ids) if ids else {}
    lost = [number for number in ids if number not in found]
    if lost:
        there = "" if STRINGS in source.tables() else ", which is not there"
        raise BurstlabError(
            f"{source.path}: {len(lost)} names of kernels are not in table {STRINGS}{there}; the first has id {lost[0]}"
        )
    return [found[number] for number in ids]


def _pid(serialized: np.ndarray | int) -> np.ndarray:
    """The process of a serialized thread or process."""
    return (np.asarray(serialized) >> _THREAD_BITS) & _MASK


def _require(
    source: Source, tables: Mapping[str, frozenset[str]], table: str, columns: tuple[str, ...]
) -> None:
    lacking = [column for column in columns if column not in tables[table]]
    if lacking:
        raise BurstlabError(f"{source.path}: table {table} lacks the columns {', '.join(lacking)}")
