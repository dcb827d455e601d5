"""The arguments of `vllm bench serve` for one cell."""

from collections.abc import Sequence
from pathlib import Path

from burstlab.study.cells import Cell, short

RESULT_FILE = "bench.json"


def bench_arguments(
    cell: Cell, *, base_url: str, model: str, dataset_arguments: Sequence[str], folder: Path
) -> list[str]:
    """Arguments with which `vllm bench serve` measures `cell` and saves `bench.json` in `folder`.

    The ready check is off: it would send the first prompt of the workload a second time, and the session knows that the
    engine is ready. A replayed trace is planned by burstlab, so it has no burstiness.
    """
    arrivals = [] if cell.arrivals.burstiness is None else ["--burstiness", short(cell.arrivals.burstiness)]
    return [
        *("--backend", "vllm"),
        *("--base-url", base_url),
        *("--endpoint", "/v1/completions"),
        *("--model", model),
        *dataset_arguments,
        *("--request-rate", short(cell.rate)),
        *arrivals,
        *("--temperature", "0"),
        *("--ready-check-timeout-sec", "0"),
        *("--percentile-metrics", "ttft,tpot,itl,e2el"),
        *("--metric-percentiles", "50,90,99"),
        "--disable-tqdm",
        "--save-result",
        "--save-detailed",
        *("--result-dir", str(folder)),
        *("--result-filename", RESULT_FILE),
    ]
