"""Cell folders without a measurement, for benchmarks of what reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from burstlab.iterations.log import DECODE_ONLY, MIXED, SCHEMA, IterationLog
from burstlab.records.build import build_measured_cell
from burstlab.study.cells import Arrivals, Cell

RATES = (5.0, 10.0, 20.0, 40.0)
BURSTINESS = (1.0, 0.5, 0.1)


def cells(number: int) -> list[Cell]:
    """So many cells, spread over models, rates, burstiness and seeds."""
    return [
        Cell(
            platform="cpu",
            model=f"model-{index // 600}",
            engine="eager",
            workload="random-128-32",
            rate=RATES[index % len(RATES)],
            arrivals=Arrivals.gamma(BURSTINESS[index // len(RATES) % len(BURSTINESS)]),
            seed=index // (len(RATES) * len(BURSTINESS)) % 50,
        )
        for index in range(number)
    ]


def specifications(wanted: list[Cell]) -> dict[Cell, dict[str, Any]]:
    """A specification for each, of a real one's size; cells share the inner parts as real ones do."""
    shared: dict[str, Any] = {
        "protocol": 1,
        "platform": {"name": "cpu", "kind": "cpu", "kvcache_gib": 2.0, "cores": 2},
        "model": {"build": {f"parameter_{number}": number for number in range(25)}, "dtype": "float32"},
        "environment": {"lock_sha256": "0" * 64},
        "engine": {f"argument_{number}": "value" for number in range(10)},
        "workload": {
            "requests": 100,
            "input_tokens": 128,
            "output_tokens": 32,
            "dataset": {"source": "random"},
        },
    }
    return {
        cell: {
            **shared,
            "rate": cell.rate,
            "arrivals": {"burstiness": cell.arrivals.burstiness},
            "seed": cell.seed,
        }
        for cell in wanted
    }


def build(
    results: Path,
    wanted: Sequence[Cell],
    requests: int,
    iterations: int,
    asked: Mapping[Cell, dict[str, Any]] | None = None,
) -> None:
    """Make their folders below `results`, with so many requests and iterations each.

    `asked` are the specifications that their records name, by default those of `specifications`.
    """
    asked = specifications(list(wanted)) if asked is None else asked
    generator = np.random.default_rng(0)
    for cell in wanted:
        folder = results / "cells" / cell.id
        folder.mkdir(parents=True)
        planned_s = np.sort(generator.uniform(0, 10, requests))
        (folder / "bench.json").write_text(json.dumps(dict(_bench(generator, planned_s))))
        build_measured_cell(
            folder,
            cell=cell,
            specification=asked[cell],
            planned_send_s=planned_s,
            start_clock_s=0.0,
            log=IterationLog(_iterations(generator, iterations), 0, 0, 0),
            versions={"vllm": "0.32.0"},
            hardware={"cpu": "none"},
            commands={"server": ["vllm", "serve"], "client": ["vllm", "bench", "serve"]},
            engine_reported={},
            times={"started_utc": "2026-01-01T00:00:00Z"},
        )


def _bench(generator: np.random.Generator, planned_s: np.ndarray) -> Iterator[tuple[str, Any]]:
    requests = len(planned_s)
    intervals = generator.gamma(4, 0.005, (requests, 31))
    ttfts = generator.gamma(4, 0.02, requests)
    yield "duration", 12.0
    yield "completed", requests
    yield "input_lens", [128] * requests
    yield "output_lens", [32] * requests
    yield "ttfts", ttfts.tolist()
    yield "itls", intervals.tolist()
    yield "latencies", (ttfts + intervals.sum(axis=1)).tolist()
    yield "start_times", (planned_s + 0.001).tolist()
    yield "errors", [""] * requests


def _iterations(generator: np.random.Generator, rows: int) -> pa.Table:
    mixed = generator.uniform(size=rows) < 0.2
    context = np.where(mixed, 128, 0)
    generation = generator.integers(1, 30, rows)
    return pa.table(
        {
            "iteration": np.arange(rows),
            "replica": np.zeros(rows, dtype=np.int64),
            "elapsed_ms": np.round(generator.gamma(4, 3, rows), 2),
            "context_requests": mixed.astype(np.int64),
            "context_tokens": context,
            "generation_requests": generation,
            "generation_tokens": generation,
            "kv_usage": np.round(generator.uniform(0, 1, rows), 3),
            "kind": np.where(mixed, MIXED, DECODE_ONLY),
        },
        schema=SCHEMA,
    )
