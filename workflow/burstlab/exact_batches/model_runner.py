"""Exact batches on a CPU: vLLM's model runner in a process of its own, without a server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from burstlab.engine.guarded_run import run_guarded
from burstlab.errors import BurstlabError
from burstlab.exact_batches import inside
from burstlab.exact_batches.order import repetitions
from burstlab.exact_batches.shapes import Shape
from burstlab.exact_batches.timed import Timed

WITH = "model runner"
# A median's interval takes six; what it gains from more than these is little.
LEAST, MOST = 8, 40
BUDGET_S = 8.0
_TIMEOUT_S = 900.0


def time_in_process(
    python: Sequence[str],
    arguments: Sequence[str],
    shapes: Sequence[Shape],
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    budget_s: float = BUDGET_S,
) -> Timed:
    """Time all arms of the shapes with the engine's `arguments`; `folder` takes the files that are handed over.

    No repetition is begun after `budget_s` seconds once there are `LEAST`. Raises BurstlabError when the process fails or
    answers something else.
    """
    order = repetitions(shapes, MOST)
    job, answer = folder / "job.json", folder / "answer.json"
    asked = {
        "arguments": list(arguments),
        "repetitions": [[shapes[place].calls(arm) for place, arm in steps] for steps in order],
        "least": LEAST,
        "budget_s": budget_s,
    }
    job.write_text(json.dumps(asked))
    command = [*python, inside.__file__, str(job), str(answer)]
    run_guarded(command, environment=environment, log=log, timeout_s=_TIMEOUT_S)
    try:
        said: dict[str, Any] = json.loads(answer.read_text())
        rows = [
            {"shape": place, "arm": arm, "repetition": number, "part": part, "ms": ms}
            for number, (steps, found) in enumerate(zip(order, said["timed"], strict=False))
            for (place, arm), parts in zip(steps, found, strict=True)
            for part, ms in sorted(parts.items())
        ]
        return Timed(WITH, said["vllm"], said["threads"], tuple(rows))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BurstlabError(f"{answer}: not what was timed: {error!r}; log: {log}") from error
