"""How long a profile of millions of launches takes to read, and how much memory.

    PYTHONPATH=workflow python benchmarks/nsys_sqlite.py

Makes an SQLite database as `nsys export` writes it (the columns of Nsight Systems 2024), of a made-up engine: decode-only
iterations whose kernels come from one CUDA graph, and mixed ones that launch kernel by kernel. Then a process of its own
reads it, joins, aggregates, and writes kernels.parquet. The aim for 10 million launches: less than 15 s and 1.5 GiB on two
cores, without the writing.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

_KERNEL = """
    start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
    greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER,
    cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL,
    gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,
    staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL,
    localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER, graphNodeId INTEGER,
    sharedMemoryLimitConfig INTEGER
"""
_RUNTIME = """
    start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER
"""
_NVTX = """
    start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, color INTEGER,
    text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER,
    int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, floatValue REAL,
    jsonTextId INTEGER, jsonText TEXT, binaryData TEXT
"""
_TRAITS = (
    "Flash_fwd_kernel_traits<(int)128, (int)64, (int)128, (int)4, (bool)0, (bool)0, cutlass::bfloat16_t, "
    "Flash_kernel_traits<(int)128, (int)64, (int)128, (int)4, cutlass::bfloat16_t>>"
)
_REST = "(bool)0, (bool)0, (bool)0, (bool)1, (bool)0, (bool)0, (bool)0>(flash::Flash_fwd_params)"
# A layer's launches: two names of attention, for decode-only and mixed, then what both have.
_ATTENTION = [f"void flash::flash_fwd_splitkv_kernel<{_TRAITS}, (bool){causal}, {_REST}" for causal in (0, 1)]
_LAYER = [
    "std::enable_if<true, void>::type vllm::fused_add_rms_norm_kernel<c10::BFloat16, (int)8>(T1 *)",
    "nvjet_tst_64x8_64x16_2x4_h_bz_TNT",
    "void vllm::rotary_embedding_kernel<c10::BFloat16, (bool)1>(const long *)",
    "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16, (vllm::Fp8KVCacheDataType)0>(const T1 *)",
    "nvjet_tst_128x8_64x12_2x1_v_bz_TNT",
    "void vllm::act_and_mul_kernel<c10::BFloat16, (bool)1>(T1 *)",
    "nvjet_tst_64x16_64x14_4x1_v_bz_TNT",
]
_PID = 4242
_GLOBAL_PID = (1 << 56) | (_PID << 24)
_THREAD = _GLOBAL_PID | _PID
_LAYERS = 32
_PER_ITERATION = _LAYERS * (len(_LAYER) + 1)


def make(path: Path, launches: int, mixed_share: float) -> None:
    """The database."""
    generator = np.random.default_rng(0)
    iterations = max(1, launches // _PER_ITERATION)
    mixed = generator.random(iterations) < mixed_share
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
        database.execute(f"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL ({_KERNEL})")
        database.execute(f"CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME ({_RUNTIME})")
        database.execute(f"CREATE TABLE NVTX_EVENTS ({_NVTX})")
        names = [*_ATTENTION, *_LAYER, "cudaLaunchKernel_v7000", "cudaGraphLaunch_v10000"]
        database.executemany("INSERT INTO StringIds VALUES (?, ?)", enumerate(names, 100))
        database.executemany(
            "INSERT INTO StringIds VALUES (?, ?)",
            enumerate(map(_name, mixed.tolist(), range(iterations)), 1000),
        )
        for first in range(0, iterations, 2000):
            _insert(database, mixed[first : first + 2000], first, generator)


def _name(is_mixed: bool, number: int) -> str:
    context = f"1({256 + number % 512})" if is_mixed else "0(0)"
    return f"execute_context_{context}_generation_{20 + number % 7}({20 + number % 7})"


def _insert(
    database: sqlite3.Connection, mixed: np.ndarray, first: int, generator: np.random.Generator
) -> None:
    """Some iterations: 10 ms each from begin to begin; the range covers half of it, kernels run behind it."""
    count = len(mixed)
    begin = (np.arange(count) + first) * 10_000_000
    ranges = zip(
        begin.tolist(), (begin + 5_000_000).tolist(), range(1000 + first, 1000 + first + count), strict=True
    )
    database.executemany(
        f"INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId) VALUES (?, ?, 59, {_THREAD}, ?)",  # noqa: S608
        ranges,
    )
    place = np.arange(_PER_ITERATION)
    start = begin[:, None] + 100_000 + place * 35_000
    duration = generator.integers(2_000, 30_000, start.shape)
    kind = place % (len(_LAYER) + 1)
    name = np.where(kind == 0, 100 + mixed[:, None], 101 + kind)
    launch = np.arange(count)[:, None] * _PER_ITERATION + place + first * _PER_ITERATION + 1
    correlation = np.where(mixed[:, None], launch, launch[:, :1])
    node = np.where(mixed[:, None], -1, place + 7_000_000_000)
    heads = np.where(mixed[:, None] & (kind == 0), 32, 8)
    values = f"?, ?, 0, 1, NULL, 7, ?, {_GLOBAL_PID}, ?, ?, ?, 0, 0, 128, 1, 20, ?, 128, 1, 1"
    rest = "0, 81920, 0, 1000000, 17, 102400, nullif(?, -1), 0"
    database.executemany(
        f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({values}, {rest})",  # noqa: S608
        _rows(start, start + duration, correlation, name, name, name, heads, node),
    )
    calls = [
        _rows(
            start[mixed] - 50_000, start[mixed] - 45_000, correlation[mixed], np.full(start[mixed].shape, 109)
        )
    ]
    graphs = ~mixed
    calls.append(
        _rows(
            begin[graphs] + 50_000, begin[graphs] + 90_000, correlation[graphs, 0], np.full(graphs.sum(), 110)
        )
    )
    for rows in calls:
        database.executemany(
            f"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, {_THREAD}, ?, ?, 0, NULL)",  # noqa: S608
            rows,
        )


def _rows(*columns: np.ndarray) -> Iterator[tuple[int, ...]]:
    return zip(*(column.ravel().tolist() for column in columns), strict=True)


def read(path: Path) -> None:
    """Read, join and aggregate, telling times and memory as JSON."""
    import pyarrow.compute as pc

    from burstlab.profiles.breakdown import breakdown
    from burstlab.profiles.read import read_profile
    from burstlab.profiles.store import write_launches

    before = _peak_mib()
    started = time.perf_counter()
    profile = read_profile(path)
    joined = time.perf_counter()
    parts = breakdown(profile)
    aggregated = time.perf_counter()
    peak = _peak_mib()
    write_launches(path.with_suffix(".parquet"), profile.launches)
    written = time.perf_counter()
    told = {
        "launches": profile.launches.num_rows,
        "iterations": profile.iterations.num_rows,
        "not joined": pc.sum(pc.is_null(profile.launches["iteration"])).as_py(),
        "read and joined, s": round(joined - started, 2),
        "aggregated, s": round(aggregated - joined, 2),
        "peak MiB before": round(before),
        "peak MiB": round(peak),
        "written, s": round(written - aggregated, 2),
        "peak MiB with writing": round(_peak_mib()),
        "parquet MiB": round(path.with_suffix(".parquet").stat().st_size / 2**20),
        "µs by part": dict(zip(parts.parts, parts.time_us.sum(axis=0).round().tolist(), strict=True)),
    }
    print(json.dumps(told, indent=1, ensure_ascii=False))


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Make the database in a temporary folder, read it, and clear up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--launches", type=int, default=10_000_000)
    parser.add_argument(
        "--mixed", type=float, default=0.3, help="share of mixed iterations; 1 makes all calls eager"
    )
    parser.add_argument("--read", type=Path, help="only read this database")
    parser.add_argument("--make", type=Path, help="only make this database")
    options = parser.parse_args()
    if options.read:
        read(options.read)
        return
    if options.make:
        make(options.make, options.launches, options.mixed)
        return
    folder = Path(tempfile.mkdtemp(prefix="burstlab-nsys-"))
    try:
        started = time.perf_counter()
        make(folder / "profile.sqlite", options.launches, options.mixed)
        size = (folder / "profile.sqlite").stat().st_size / 2**20
        print(f"made {size:.0f} MiB in {time.perf_counter() - started:.0f} s", flush=True)
        subprocess.run([sys.executable, __file__, "--read", str(folder / "profile.sqlite")], check=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
