"""Exact batches on GPUs: `vllm bench forward`, which vLLM has from 0.33.

It hands each batch to the model runner without a scheduler, captures the forward pass as one CUDA graph and times its
replays (vllm/benchmarks/forward in vLLM 0.33). So all arms run in the same graph mode, and launching is in none of the times.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from burstlab.engine.guarded_run import run_guarded
from burstlab.errors import BurstlabError
from burstlab.exact_batches.order import Step, repetitions
from burstlab.exact_batches.shapes import CHUNK, DECODE, MIXED, PACKED, PADDED, Batch, Shape
from burstlab.exact_batches.timed import Timed

WITH = "vllm bench forward"
# Two calls one after the other are two cases, which it times apart anyway.
ARMS = (DECODE, CHUNK, MIXED, PACKED, PADDED)
REPETITIONS = 10
PART = "forward"
_TIMEOUT_S = 3600.0
_CLI = ("-m", "vllm.entrypoints.cli.main", "bench", "forward")
_UNKNOWN = re.compile(r"invalid choice: '?forward'?")


def command(
    python: Sequence[str],
    arguments: Sequence[str],
    shapes: Sequence[Shape],
    order: Sequence[Sequence[Step]],
    output: Path,
    gpus: int,
) -> list[str]:
    """The command that times each step of `order` as a case of its own; one process a GPU, as torchrun starts them."""
    launcher = ["-m", "torch.distributed.run", f"--nproc-per-node={gpus}"] if gpus > 1 else []
    cases = [
        f"{number}.{place}.{arm}={case_text(shapes[place].calls(arm)[0])}"
        for number, steps in enumerate(order)
        for place, arm in steps
    ]
    return [
        *python,
        *launcher,
        *_CLI,
        *arguments,
        *("--kv-len-jitter", "0", "--iters", "20", "--samples", "3"),
        *("--output-json", str(output)),
        *(part for case in cases for part in ("--case", case)),
    ]


def case_text(batch: Batch) -> str:
    """A batch in the words of `--case`: `[N*]Q[@K][c]`, where K counts the query in, and earlier chunks made the rest if c."""
    texts = []
    for (tokens, before), alike in groupby(batch):
        number = len(list(alike))
        chunk = "c" if before and tokens > 1 else ""
        length = f"@{before + tokens}" if before else ""
        texts.append(f"{number}*{tokens}{length}{chunk}" if number > 1 else f"{tokens}{length}{chunk}")
    return ",".join(texts)


def time_forward(
    python: Sequence[str],
    arguments: Sequence[str],
    shapes: Sequence[Shape],
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    gpus: int = 1,
) -> Timed:
    """Time the arms of the shapes; without rows where this vLLM has no such benchmark.

    Raises BurstlabError when it fails otherwise, or saves something else.
    """
    order = repetitions(shapes, REPETITIONS, ARMS)
    output = folder / "forward.json"
    asked = command(python, arguments, shapes, order, output, gpus)
    try:
        run_guarded(asked, environment=environment, log=log, timeout_s=_TIMEOUT_S)
    except BurstlabError:
        if _UNKNOWN.search(log.read_text(errors="replace")):
            return Timed(
                WITH, None, None, (), "this vLLM has no `vllm bench forward`; 0.33 is the first that does"
            )
        raise
    try:
        return Timed(WITH, None, None, tuple(_rows(json.loads(output.read_bytes()))))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BurstlabError(f"{output}: not as vllm bench forward saves it: {error!r}; log: {log}") from error


def _rows(cases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    if not cases or not isinstance(cases, list):
        raise TypeError("there are no cases")
    for case in cases:
        number, place, arm = case["case"].split(".")
        yield {
            "shape": int(place),
            "arm": arm,
            "repetition": int(number),
            "part": PART,
            "ms": float(case["median_us"]) / 1000,
        }
