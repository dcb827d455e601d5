"""Small study tables in the schema of `tables/`, made up from a seed, to try figures and report on."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

KINDS = ("decode-only", "mixed", "prefill-only")


def cell(
    seed: int = 0,
    burstiness: float | None = 1.0,
    rate: float = 10.0,
    group: tuple[str, str, str, str] = ("cpu", "tiny-gqa", "eager", "random-128-32"),
    trace: str | None = None,
    evidence: str = "measured",
    failed_gates: str = "",
    fails: bool = False,
    kinds: tuple[str, ...] = KINDS,
) -> dict[str, Any]:
    """What one made-up cell should be like; `fails` leaves all its requests failed."""
    return locals() | {"arrivals": f"trace:{trace}" if trace else "gamma"}


def identity(wanted: dict[str, Any]) -> str:
    rate = f"{wanted['rate']:g}"
    how = f"trace-{wanted['trace']}" if wanted["trace"] else f"burst-{wanted['burstiness']:g}"
    return "/".join([*wanted["group"], f"rate-{rate}", how, f"seed-{wanted['seed']}"])


def small_study() -> list[dict[str, Any]]:
    """Two models, capacity probes, three burstiness, a trace, three seeds, an excluded and a failed cell."""
    cells = []
    for model in ("tiny-gqa", "tiny-gdn"):
        group = ("cpu", model, "eager", "random-128-32")
        cells.append(cell(rate=math.inf, group=group))
        for rate in (5.0, 10.0):
            for seed in range(3):
                cells += [cell(seed, b, rate, group) for b in (1.0, 0.5, 0.1)]
        cells.append(cell(0, None, 10.0, group, trace="azure-conv"))
        cells.append(cell(3, 0.1, 10.0, group, failed_gates="lateness"))
        cells.append(cell(4, 0.1, 10.0, group, failed_gates="requests,overload", fails=True))
    simulated = ("h200", "tiny-gqa", "eager", "random-128-32")
    cells += [cell(seed, b, 10.0, simulated, evidence="simulated") for seed in range(2) for b in (1.0, 0.1)]
    return cells


def write_tables(folder: Path, cells: list[dict[str, Any]], requests: int = 40) -> Path:
    """Writes cells, requests and iterations with one row group a cell; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, request_tables, iteration_tables = [], [], []
    for wanted in sorted(cells, key=identity):
        rng = np.random.default_rng([wanted["seed"], int(100 / min(wanted["burstiness"] or 0.3, 100))])
        reqs, its = _requests(wanted, rng, requests), _iterations(wanted, rng)
        request_tables.append(reqs)
        iteration_tables.append(its)
        rows.append(_summary(wanted, reqs, its))
    capacity = {row["group"]: row["throughput_req_s"] for row in rows if math.isinf(row["rate"])}
    for row in rows:
        row["capacity_req_s"] = capacity.get(row["group"])
        known = row["capacity_req_s"] and math.isfinite(row["rate"])
        row["load"] = row["rate"] / row["capacity_req_s"] if known else None
        del row["group"]
    pq.write_table(pa.Table.from_pylist(rows, CELLS), folder / "cells.parquet")
    for name, tables, schema in (
        ("requests", request_tables, REQUESTS),
        ("iterations", iteration_tables, ITERATIONS),
    ):
        with pq.ParquetWriter(folder / f"{name}.parquet", schema) as writer:
            for table in tables:
                writer.write_table(pa.Table.from_pylist(table, schema))
    return folder


def write_records(results: Path, cells: list[dict[str, Any]]) -> None:
    """A `cell.json` a cell, as a session would leave it."""
    for number, wanted in enumerate(sorted(cells, key=identity)):
        platform, model, engine, workload = wanted["group"]
        record = {
            "format": 1,
            "cell": {"platform": platform, "model": model, "engine": engine, "workload": workload},
            "evidence": wanted["evidence"],
            "specification": {
                "model": {"recipe": model, "hidden_size": 256},
                "engine": {"environment": "vllm-cpu", "attention_backend": None},
                "workload": {"requests": 40, "dataset": {"source": "synthetic-sharegpt", "rows": 500}},
            },
            "specification_sha256": f"{number:064x}",
            "versions": {"vllm": "0.32.0", "torch": "2.13.0+cpu", "burstlab": "0.1.0"},
            "hardware": {"cpu": "an imaginary processor", "cores": 2, "memory_gib": 8},
            "commands": {
                "server": ["vllm", "serve", f"resources/models/{model}"],
                "client": ["vllm", "bench", "serve", "--seed", str(wanted["seed"])],
            },
            "engine_reported": {"attention_backend": "CPU_ATTN", "cuda_graphs": "none"},
            "gates": [],
            "times": {"started_utc": f"2026-11-0{1 + number % 9}T10:00:00+00:00", "wall_s": 4.1},
            "summary": {},
            "files": {},
        }
        path = results / "cells" / identity(wanted) / "cell.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record))


def _requests(wanted: dict[str, Any], rng: np.random.Generator, count: int) -> list[dict[str, Any]]:
    mean = (
        20 + 12 * min(wanted["burstiness"] or 0.4, 2.0) + wanted["rate"] / 2
        if math.isfinite(wanted["rate"])
        else 90
    )
    rows = []
    for number in range(count):
        tpot, ttft = mean * float(rng.lognormal(0, 0.3)), 80 * float(rng.lognormal(0, 0.5))
        failed = wanted["fails"]
        row = {"cell": identity(wanted), "evidence": wanted["evidence"], "request": number}
        row |= {"planned_send_s": number / 10, "send_s": number / 10 + 0.001, "prompt_tokens": 128}
        row |= {"output_tokens": 0 if failed else 32, "error": "connection refused" if failed else None}
        row |= {"ttft_ms": None if failed else ttft, "tpot_ms": None if failed else tpot}
        row |= {"e2el_ms": None if failed else ttft + 31 * tpot, "max_itl_ms": None if failed else 3 * tpot}
        rows.append(row)
    return rows


def _iterations(wanted: dict[str, Any], rng: np.random.Generator) -> list[dict[str, Any]]:
    rows = []
    for number in range(0 if wanted["fails"] else 60):
        kind = wanted["kinds"][number % len(wanted["kinds"])]
        decodes = 0 if kind == "prefill-only" else int(rng.integers(1, 8))
        context = 0 if kind == "decode-only" else 128 * int(rng.integers(1, 4))
        elapsed = 5 + 1.5 * decodes + 0.2 * context + float(rng.normal(0, 0.5)) * 3
        row = {
            "cell": identity(wanted),
            "evidence": wanted["evidence"],
            "iteration": number,
            "elapsed_ms": elapsed,
        }
        row |= {"context_requests": context // 128, "context_tokens": context, "generation_requests": decodes}
        row |= {"generation_tokens": decodes, "kv_usage": 0.1, "kind": kind}
        rows.append(row)
    return rows


def _summary(wanted: dict[str, Any], reqs: list[dict[str, Any]], its: list[dict[str, Any]]) -> dict[str, Any]:
    platform, model, engine, workload = wanted["group"]
    b = wanted["burstiness"]
    row: dict[str, Any] = {"cell": identity(wanted), "group": wanted["group"]}
    row |= {
        "platform": platform,
        "model": model,
        "engine": engine,
        "workload": workload,
        "rate": wanted["rate"],
    }
    row |= {
        "arrivals": wanted["arrivals"],
        "burstiness": b,
        "cv": 1 / math.sqrt(b) if b else 2.2,
        "seed": wanted["seed"],
    }
    row |= {
        "evidence": wanted["evidence"],
        "counted": not wanted["failed_gates"],
        "failed_gates": wanted["failed_gates"],
    }
    row |= {"requests": len(reqs), "failed_requests": len(reqs) if wanted["fails"] else 0, "duration_s": 4.0}
    row |= {
        "throughput_req_s": 0.0 if wanted["fails"] else 15.0,
        "output_tokens": 0 if wanted["fails"] else 32 * len(reqs),
    }
    for quantity in ("ttft_ms", "tpot_ms", "e2el_ms"):
        values = np.array([r[quantity] for r in reqs if r[quantity] is not None])
        for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99)):
            row[f"{name}_{quantity}"] = float(np.quantile(values, share)) if len(values) else None
        row[f"mean_{quantity}"] = float(values.mean()) if len(values) else None
    row |= {"realised_cv": row["cv"], "lateness_p99_ms": 1.0}
    tokens = sum(r["generation_tokens"] for r in its)
    expected = 0.0
    for kind in KINDS:
        of_kind = [r for r in its if r["kind"] == kind]
        row[f"{kind.replace('-', '_')}_iterations"] = len(of_kind)
        if of_kind and tokens:
            share = sum(r["generation_tokens"] for r in of_kind) / tokens
            mean_ms = sum(r["elapsed_ms"] for r in of_kind) / len(of_kind)
            expected += share * mean_ms
            row[f"mean_{kind.replace('-', '_')}_ms"] = mean_ms
            if kind == "decode-only":
                row["decode_only_token_share"] = share
            if kind == "mixed":
                row["mean_mixed_tokens"] = sum(
                    r["generation_tokens"] + r["context_tokens"] for r in of_kind
                ) / len(of_kind)
    row["expected_interval_ms"] = expected or None
    return row


CELLS = pa.schema(
    [(name, pa.string()) for name in ("cell", "platform", "model", "engine", "workload")]
    + [(name, pa.string()) for name in ("arrivals", "evidence", "failed_gates")]
    + [(name, pa.float64()) for name in ("rate", "burstiness", "cv", "duration_s", "throughput_req_s")]
    + [(name, pa.int64()) for name in ("seed", "requests", "failed_requests", "output_tokens")]
    + [("counted", pa.bool_())]
    + [
        (f"{statistic}_{quantity}_ms", pa.float64())
        for quantity in ("ttft", "tpot", "e2el")
        for statistic in ("mean", "median", "p90", "p99")
    ]
    + [(f"{kind}_iterations", pa.int64()) for kind in ("decode_only", "mixed", "prefill_only")]
    + [
        (name, pa.float64())
        for name in (
            "realised_cv", "lateness_p99_ms", "decode_only_token_share", "mean_decode_only_ms",
            "mean_mixed_ms", "mean_mixed_tokens", "expected_interval_ms", "capacity_req_s", "load",
        )
    ]
)  # fmt: skip
REQUESTS = pa.schema(
    [("cell", pa.string()), ("evidence", pa.string()), ("request", pa.int64())]
    + [
        ("planned_send_s", pa.float64()),
        ("send_s", pa.float64()),
        ("prompt_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
    ]
    + [(name, pa.float64()) for name in ("ttft_ms", "tpot_ms", "e2el_ms", "max_itl_ms")]
    + [("error", pa.string())]
)
ITERATIONS = pa.schema(
    [
        ("cell", pa.string()),
        ("evidence", pa.string()),
        ("iteration", pa.int64()),
        ("elapsed_ms", pa.float64()),
    ]
    + [
        (name, pa.int64())
        for name in ("context_requests", "context_tokens", "generation_requests", "generation_tokens")
    ]
    + [("kv_usage", pa.float64()), ("kind", pa.string())]
)
