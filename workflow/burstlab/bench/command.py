"""The arguments of `vllm bench serve` for one cell."""

from collections.abc import Sequence
from pathlib import Path

from burstlab.study.cells import Cell, short
from burstlab.study.values import LARGEST_SEED

RESULT_FILE = "bench.json"
WARM_UP_SEED = LARGEST_SEED + 1


def bench_arguments(
    cell: Cell,
    *,
    base_url: str,
    model: str,
    dataset_arguments: Sequence[str],
    folder: Path,
    profile: bool = False,
) -> list[str]:
    """Arguments with which `vllm bench serve` measures `cell` and saves `bench.json` in `folder`.

    The ready check is off: it would send the first prompt of the workload a second time, and the session knows that the
    engine is ready. A replayed trace is planned by burstlab, so it has no burstiness. With `profile` the engine's profiler is
    started and stopped around the load.
    """
    arrivals = [] if cell.arrivals.burstiness is None else ["--burstiness", short(cell.arrivals.burstiness)]
    return [
        *_always(base_url, model),
        *dataset_arguments,
        *("--request-rate", short(cell.rate)),
        *arrivals,
        *("--percentile-metrics", "ttft,tpot,itl,e2el"),
        *("--metric-percentiles", "50,90,99"),
        "--save-result",
        "--save-detailed",
        *("--result-dir", str(folder)),
        *("--result-filename", RESULT_FILE),
        *(["--profile"] if profile else []),
    ]


def warm_up_arguments(*, base_url: str, model: str) -> list[str]:
    """Arguments of a short benchmark that is thrown away: it fills the engine's batch and the client's caches.

    Its prompts are no workload's: no study has this seed.
    """
    return [
        *_always(base_url, model),
        *("--dataset-name", "random", "--random-input-len", "64", "--random-output-len", "16"),
        *("--num-prompts", "64", "--request-rate", "inf", "--seed", str(WARM_UP_SEED), "--ignore-eos"),
    ]


def _always(base_url: str, model: str) -> list[str]:
    return [
        *("--backend", "vllm"),
        *("--base-url", base_url),
        *("--endpoint", "/v1/completions"),
        *("--model", model),
        *("--temperature", "0"),
        *("--ready-check-timeout-sec", "0"),
        "--disable-tqdm",
    ]
