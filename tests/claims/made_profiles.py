"""Made-up tables of profiled runs with chosen numbers, for estimators."""

from pathlib import Path
from typing import Any

import pandas as pd
from tests.claims.made import CPU, USUAL, evidence

from burstlab.claims.evidence import Evidence

A100 = {"platform": "a100-40gb", "model": "llama-3.1-8b", "engine": "fa2", "workload": "burstgpt"}
H200 = A100 | {"platform": "h200", "engine": "fa3"}
GDN = {"platform": "gh200", "model": "qwen3.5-9b", "engine": "gdn-whole", "workload": "burstgpt"}
KEPT = ("rate", "arrivals", "evidence", "counted", "failed_gates", "vllm_version", "max_batched_tokens")


def run(
    group: dict[str, str] = CPU, burstiness: float = 0.1, seed: int = 0, **changes: Any
) -> dict[str, Any]:
    """What every row of a profiled run says of it."""
    row = {name: USUAL[name] for name in KEPT} | {
        "max_sequences": 64,
        "on_gpu": True,
        "cudagraph_mode": "NONE",
    }
    row |= {**group, "burstiness": burstiness, "cv": burstiness**-0.5, "seed": seed, **changes}
    row["cell"] = f"{'/'.join(group.values())}/burst-{burstiness:g}/seed-{seed}/{row['evidence']}"
    return row


def cost(
    of: dict[str, Any], per: str, index: float | None, spread: float = 0.1, blocks: int = 10
) -> dict[str, Any]:
    """The row of attention in the table of costs."""
    low, high = (None, None) if index is None else (index - spread, index + spread)
    return {**of, "per": per, "part": "attention", "index": index, "low": low, "high": high, "blocks": blocks}


def path(of: dict[str, Any], kind: str, family: str, with_it: int, iterations: int = 200) -> dict[str, Any]:
    """A row of the table of paths."""
    part = "gdn" if family.startswith("gdn") else "attention"
    counts = {"iterations": iterations, "with_it": with_it, "launches": with_it, "time_us": 1.0}
    return {**of, "kind": kind, "part": part, "family": family, **counts}


def profiles(
    folder: Path, costs: list[dict[str, Any]] | None = None, paths: list[dict[str, Any]] | None = None
) -> Evidence:
    """What these tables say, with no cell beside them."""
    if costs is not None:
        pd.DataFrame(costs).to_parquet(folder / "interference.parquet")
    if paths is not None:
        pd.DataFrame(paths).to_parquet(folder / "paths.parquet")
    return evidence(folder, [])
