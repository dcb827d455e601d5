"""Cell folders as a session leaves them, small enough to check by hand."""

import json
import math
from pathlib import Path
from typing import Any

from burstlab.iterations.log import parse_bytes
from burstlab.records.build import build_measured_cell
from burstlab.study.cells import Arrivals, Cell

LINE = (
    b"Engine 000: Iteration(%d): %d context requests, %d context tokens, %d generation requests, "
    b"%d generation tokens, iteration elapsed time: %d.00 ms, CPU KV cache usage: 2.0%%\n"
)
# Prefill-only, decode-only (3 tokens in 10 ms), mixed (1 token in 30 ms).
LOG = LINE % (0, 2, 30, 0, 0, 40) + LINE % (1, 0, 0, 3, 3, 10) + LINE % (2, 1, 5, 1, 1, 30)

# Three requests: of three tokens, of one token, and one that failed.
BENCH: dict[str, Any] = {
    "duration": 4.0,
    "completed": 2,
    "failed": 1,
    "input_lens": [10, 20, 5],
    "output_lens": [3, 1, 0],
    "ttfts": [0.5, 0.25, 0.0],
    "itls": [[0.125, 0.375], [], []],
    "latencies": [1.0, 0.25, 0.0],
    "start_times": [100.0, 101.0, 103.0],
    "errors": ["", "", "Bad gateway"],
    "mean_ttft_ms": 375.0,
    "median_tpot_ms": 250.0,
}


class SampleCells:
    """Makes cell folders below `results`."""

    def __init__(self, results: Path) -> None:
        self.results = results

    def cell(
        self, seed: int = 0, *, rate: float = 10.0, arrivals: Arrivals | None = None, model: str = "tiny"
    ) -> Cell:
        """A cell; its folder is not made."""
        return Cell("cpu", model, "eager", "random", rate, arrivals or Arrivals.gamma(0.25), seed)

    def specification(self, cell: Cell) -> dict[str, Any]:
        """A made-up specification."""
        rate = "inf" if math.isinf(cell.rate) else cell.rate
        return {"engine": {"max_sequences": 64, "chunked_prefill": True}, "rate": rate, "seed": cell.seed}

    def folder(self, cell: Cell) -> Path:
        """Where the cell is."""
        return self.results / "cells" / cell.id

    def build(self, cell: Cell, bench: dict[str, Any] | None = None, **changes: Any) -> Path:
        """Make the folder of `cell`; `bench` changes its bench.json, `changes` what is built from."""
        folder = self.folder(cell)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bench.json").write_text(json.dumps({**BENCH, **(bench or {})}))
        arguments: dict[str, Any] = {
            "cell": cell,
            "specification": self.specification(cell),
            "planned_send_s": [0.0, 1.0, 3.0],
            "start_clock_s": 100.0,
            "log": parse_bytes(LOG),
            "versions": {"vllm": "0.32.0"},
            "hardware": {"cpu": "some", "cores": 2},
            "commands": {"server": ["vllm", "serve"], "client": ["vllm", "bench", "serve"]},
            "engine_reported": {"attention_backend": "CPU_ATTN"},
            "times": {"started_utc": "2026-11-29T15:00:00.000+00:00", "wall_s": 4.5},
        }
        build_measured_cell(folder, **(arguments | changes))
        return folder
