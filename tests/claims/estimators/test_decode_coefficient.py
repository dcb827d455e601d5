from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.claims.made import cells, checks, evidence, results

Row = dict[str, Any]


def iterations(rows: list[Row], decode_ms: float, prefill_ms: float, noise: float) -> list[Row]:
    rng = np.random.default_rng(0)
    found = []
    for row in rows:
        for _ in range(40):
            context, generation = int(rng.integers(1, 400)), int(rng.integers(1, 30))
            elapsed = 5 + decode_ms * generation + prefill_ms * context + noise * rng.lognormal()
            found.append(
                {
                    "cell": row["cell"],
                    "kind": "mixed",
                    "elapsed_ms": elapsed,
                    "context_tokens": context,
                    "generation_tokens": generation,
                }
            )
    return found


def test_an_exact_plane_is_found_and_is_no_poor_fit(tmp_path: Path) -> None:
    rows = cells(1.0) + cells(0.1)
    found = checks("B17", evidence(tmp_path, rows, iterations(rows, 2.0, 0.5, 0.0)))
    assert [check.interval.estimate for check in found] == pytest.approx([1.5, 1.0])
    assert [check.result for check in found] == ["holds", "fails"]


def test_a_noisy_one_is_poor(tmp_path: Path) -> None:
    rows = cells(1.0) + cells(0.1)
    found = results("B17", evidence(tmp_path, rows, iterations(rows, 0.0, 0.05, 60.0)))
    assert found["share of variance that the fit explains"] == "holds"
