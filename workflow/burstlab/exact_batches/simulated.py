"""Exact batches of a simulated engine: what its costs say of each, without a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.exact_batches.record import write_times
from burstlab.exact_batches.shapes import ARMS, PADDED, Batch, Shape, shapes_for
from burstlab.exact_batches.timed import Timed
from burstlab.simulator.clock import ms_from_ps
from burstlab.simulator.costs.interface import Costs
from burstlab.study.load import load_study
from burstlab.study.simulable import setup_of

WITH = "roofline"
PART = "forward"
FORETOLD = tuple(arm for arm in ARMS if arm != PADDED)
"""Without decodes of two tokens: costs take those for chunks of a prompt, whose keys and values are read once and whose tiles are
full, so they would say that it costs hardly anything to leave the kernels for decodes."""


def times_of_costs(costs: Costs, shapes: Sequence[Shape]) -> Timed:
    """One repetition, as costs do not vary."""
    rows = [
        {"shape": place, "arm": arm, "repetition": 0, "part": PART, "ms": _ms(costs, shape.calls(arm))}
        for place, shape in enumerate(shapes)
        for arm in FORETOLD
    ]
    return Timed(WITH, None, None, tuple(rows), evidence="simulated")


def simulate_from_workflow(
    *, config: Mapping[str, Any], engines: Sequence[tuple[str, str, str]], outputs: Sequence[Path], log: Path
) -> None:
    """The workflow's job: the file of each engine, by its platform, model and name; SystemExit with one message on failure."""
    try:
        study = load_study(config, [], Path.cwd())
        for (platform, model, engine), output in zip(engines, outputs, strict=True):
            shapes = shapes_for(study.platforms[platform].kind, study.engines[engine])
            timed = times_of_costs(setup_of(study, platform, model, engine).costs(), shapes)
            write_times(output, platform, model, engine, shapes, timed)
            with log.open("a") as sink:
                print(f"{platform}/{model}/{engine}: {len(shapes)} shapes", file=sink)
    except BurstlabError as error:
        log.write_text(f"{error}\n")
        raise SystemExit(f"exact batches of simulated engines: {error}") from None


def _ms(costs: Costs, calls: Sequence[Batch]) -> float:
    return float(ms_from_ps(np.array([_call_ps(costs, call) for call in calls])).sum())


def _call_ps(costs: Costs, call: Batch) -> int:
    contexts = [before for tokens, before in call if tokens == 1]
    chunks = [(tokens, before) for tokens, before in call if tokens > 1]
    if chunks:
        return costs.mixed(len(contexts), sum(contexts), chunks)
    return costs.decode(len(contexts), sum(contexts)).first_ps
