"""Files as `vllm bench serve --save-detailed` leaves them, small enough to check by hand."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from burstlab.arrivals.gamma import planned_send_s

CLOCK_S = 5000.0


def saved(
    *, rate: float = 10.0, burstiness: float = 0.5, seed: int = 3, requests: int = 40, **changes: Any
) -> dict[str, Any]:
    """What vLLM saves of requests that each leave 1 ms late and yield 3 tokens: TTFT 100 ms, then 20 and 40 ms."""
    starts = CLOCK_S + planned_send_s(requests, rate, burstiness, seed) + 0.001
    return {
        "date": "20260101-120000",
        "model_id": "Qwen/Qwen3-8B",
        "num_prompts": requests,
        "request_rate": "inf" if np.isinf(rate) else rate,
        "burstiness": burstiness,
        "duration": 8.0,
        "completed": requests,
        "failed": 0,
        "input_lens": [64] * requests,
        "output_lens": [3] * requests,
        "ttfts": [0.1] * requests,
        "itls": [[0.02, 0.04]] * requests,
        "start_times": starts.tolist(),
        "errors": [""] * requests,
        "mean_ttft_ms": 100.0,
        "mean_tpot_ms": 30.0,
    } | changes


def old_log(generation_tokens: int) -> str:
    """An iteration log as the engine core of vLLM 0.22 writes it: one prefill, then decodes of one token each."""
    line = "Iteration({}): {} context requests, {} context tokens, {} generation requests, {} generation tokens, iteration elapsed time: {} ms\n"  # noqa: E501 - as the engine writes it
    decodes = [line.format(n + 1, 0, 0, 1, 1, "10.00") for n in range(generation_tokens)]
    return line.format(0, 1, 64, 0, 0, "30.00") + "".join(decodes)


class Lab:
    """Another lab's folder of results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, name: str, log: str | None = None, **changes: Any) -> Path:
        """Save one benchmark as `name`, with a log beside it if there is one."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(saved(**changes)))
        if log is not None:
            path.with_suffix(".log").write_text(log)
        return path


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """An empty one."""
    return Lab(tmp_path / "lab")
