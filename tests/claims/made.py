"""Made-up study tables with chosen numbers, for estimators."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from burstlab.claims.check import Check
from burstlab.claims.evidence import Evidence
from burstlab.claims.load import load_claims
from burstlab.claims.registry import estimator
from burstlab.claims.schema import Claim
from burstlab.figures.tables import Tables

CPU = {"platform": "cpu", "model": "tiny-gqa", "engine": "eager", "workload": "random-256-32"}
PUBLISHED = {"platform": "gh200", "model": "qwen3.5-9b", "engine": "default", "workload": "burstgpt"}
USUAL = {
    "rate": 10.0,
    "arrivals": "gamma",
    "evidence": "measured",
    "counted": True,
    "failed_gates": "",
    "on_gpu": False,
    "vllm_version": "0.33.0",
    "cudagraph_mode": "NONE",
    "max_batched_tokens": 2048,
    "max_sequences": 64,
    "mean_tpot_ms": 40.0,
    "median_tpot_ms": 40.0,
    "p90_tpot_ms": 60.0,
    "median_e2el_ms": 900.0,
    "p90_e2el_ms": 1500.0,
    "mean_e2el_ms": 1000.0,
    "mean_ttft_ms": 100.0,
    "median_ttft_ms": 100.0,
    "decode_only_token_share": 0.7,
    "mean_decode_only_ms": 20.0,
    "mean_mixed_ms": 100.0,
    "mean_mixed_tokens": 300.0,
    "expected_interval_ms": 44.0,
}
METRICS = ("_ms", "_share", "_tokens")
WOBBLE = (0.98, 1.0, 1.02, 1.01, 0.99)


def cells(
    burstiness: float, group: dict[str, str] = CPU, seeds: int = 5, **values: Any
) -> list[dict[str, Any]]:
    """A row a seed: metrics given wobble by 2% from seed to seed, in a way of their own at each burstiness."""
    rows = []
    for seed in range(seeds):
        factor = WOBBLE[(seed * (1 if burstiness == 1 else 2)) % len(WOBBLE)]
        given = {name: value * factor if name.endswith(METRICS) else value for name, value in values.items()}
        row = {**USUAL, **group, "burstiness": burstiness, "cv": burstiness**-0.5, "seed": seed, **given}
        row["cell"] = "/".join(str(row[name]) for name in ("platform", "model", "engine", "workload", "rate"))
        row["cell"] += f"/{row['evidence']}/burst-{burstiness:g}/seed-{seed}"
        rows.append(row)
    return rows


def evidence(
    folder: Path, rows: Sequence[dict[str, Any]], iterations: Sequence[dict[str, Any]] = ()
) -> Evidence:
    """What the tables of these rows say."""
    pd.DataFrame(rows, columns=[*USUAL, *CPU, "burstiness", "cv", "seed", "cell"]).to_parquet(
        folder / "cells.parquet"
    )
    names = ["cell", "kind", "elapsed_ms", "context_tokens", "generation_tokens"]
    types = {"cell": str, "kind": str, "elapsed_ms": float, "context_tokens": int, "generation_tokens": int}
    pd.DataFrame(list(iterations), columns=names).astype(types).to_parquet(folder / "iterations.parquet")
    return Evidence(Tables(folder))


@cache
def claim(name: str) -> Claim:
    """An entry of the ledger that ships."""
    return next(entry for entry in load_claims() if entry.id == name)


def checks(name: str, found: Evidence) -> list[Check]:
    """What the shipped entry's estimator finds."""
    entry = claim(name)
    assert entry.estimator is not None
    return list(estimator(entry.estimator)(entry, found))


def results(name: str, found: Evidence) -> dict[str, str]:
    """Quantity → result; for one group."""
    return {check.quantity: check.result for check in checks(name, found)}
