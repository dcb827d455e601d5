"""A toy engine: what a cell's tables would be if iterations cost exactly what a formula says, with noise that is known.

It serves for how often gates are wrong, nothing else: continuous batching with chunked prefill, an iteration taking
base + per decode + per context token, times a slow random walk about 1 (other work, clocks) and times noise of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from burstlab.arrivals.gamma import planned_send_s
from burstlab.bench.requests_table import SCHEMA as REQUESTS
from burstlab.iterations.log import DECODE_ONLY, MIXED, PREFILL_ONLY
from burstlab.iterations.log import SCHEMA as ITERATIONS
from burstlab.records.schema import LogLines
from burstlab.study.cells import Arrivals, Cell
from burstlab.validity.evidence import Evidence


@dataclass(frozen=True)
class Toy:
    """Costs in seconds, as of a tiny model on a CPU; `drift` is the relative change of all costs over the whole run."""

    base_s: float = 0.006
    decode_s: float = 0.001
    context_s: float = 0.0003
    prompt_tokens: int = 256
    output_tokens: int = 32
    max_sequences: int = 64
    max_batched_tokens: int = 2048
    own_noise: float = 0.08
    slow_noise: float = 0.05
    slow_s: float = 1.0
    drift: float = 0.0


def run(toy: Toy, requests: int, rate_per_s: float, burstiness: float, seed: int) -> Evidence:
    """The evidence of one cell that the toy engine served."""
    generator = np.random.default_rng(seed)
    plan_s = planned_send_s(requests, rate_per_s, burstiness, seed)
    lengths = generator.integers(toy.output_tokens // 2, toy.output_tokens * 3 // 2 + 1, requests)
    length_s = requests / rate_per_s if math.isfinite(rate_per_s) else 1.0
    to_prefill = np.full(requests, toy.prompt_tokens)
    made = np.zeros(requests, dtype=int)
    first_s, last_s = np.zeros(requests), np.zeros(requests)
    now_s, came, slow = 0.0, 0, 0.0
    running: list[int] = []
    rows: list[tuple[float, int, int, int]] = []
    while came < requests or running:
        if not running and plan_s[came] > now_s:
            now_s = float(plan_s[came])
        while came < requests and plan_s[came] <= now_s and len(running) < toy.max_sequences:
            running.append(came)
            came += 1
        decodes = [one for one in running if to_prefill[one] == 0]
        budget = toy.max_batched_tokens - len(decodes)
        chunks: list[tuple[int, int]] = []
        for one in running:
            chunk = min(int(to_prefill[one]), budget)
            if chunk > 0:
                chunks.append((one, chunk))
                budget -= chunk
        context = sum(chunk for _, chunk in chunks)
        elapsed_s = toy.base_s + toy.decode_s * len(decodes) + toy.context_s * context
        memory = math.exp(-elapsed_s / toy.slow_s)
        slow = memory * slow + toy.slow_noise * math.sqrt(1 - memory**2) * generator.normal()
        elapsed_s *= (1 + toy.drift * now_s / length_s) * math.exp(slow + toy.own_noise * generator.normal())
        now_s += elapsed_s
        for one, chunk in chunks:
            to_prefill[one] -= chunk
            if to_prefill[one] == 0:
                first_s[one] = last_s[one] = now_s
                made[one] = 1
        for one in decodes:
            made[one] += 1
            last_s[one] = now_s
        rows.append((elapsed_s * 1000, len(chunks), context, len(decodes)))
        running = [one for one in running if made[one] < lengths[one]]
    return Evidence(
        cell=Cell("toy", "toy", "toy", "random", rate_per_s, Arrivals.gamma(burstiness), seed),
        evidence="measured",
        specification={},
        engine_reported={},
        log_lines=LogLines(),
        observed=None,
        requests=_requests(plan_s, first_s, last_s, lengths, toy.prompt_tokens),
        iterations=_iterations(rows),
    )


def _requests(
    plan_s: np.ndarray, first_s: np.ndarray, last_s: np.ndarray, lengths: np.ndarray, prompt_tokens: int
) -> pa.Table:
    count = plan_s.size
    return pa.table(
        {
            "request": np.arange(count),
            "planned_send_s": plan_s,
            "send_s": plan_s + 0.001,
            "prompt_tokens": np.full(count, prompt_tokens),
            "output_tokens": lengths,
            "ttft_ms": (first_s - plan_s) * 1000,
            "tpot_ms": (last_s - first_s) / (lengths - 1) * 1000,
            "e2el_ms": (last_s - plan_s) * 1000,
            "max_itl_ms": pa.nulls(count, pa.float64()),
            "error": pa.nulls(count, pa.string()),
        },
        schema=REQUESTS,
    )


def _iterations(rows: list[tuple[float, int, int, int]]) -> pa.Table:
    elapsed_ms, context_requests, context_tokens, generation = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    kind = np.where(context_requests == 0, DECODE_ONLY, np.where(generation == 0, PREFILL_ONLY, MIXED))
    return pa.table(
        {
            "iteration": np.arange(len(rows)),
            "replica": np.zeros(len(rows), dtype=np.int64),
            "elapsed_ms": elapsed_ms,
            "context_requests": context_requests,
            "context_tokens": context_tokens,
            "generation_requests": generation,
            "generation_tokens": generation,
            "kv_usage": pa.nulls(len(rows), pa.float64()),
            "kind": kind,
        },
        schema=ITERATIONS,
    )
