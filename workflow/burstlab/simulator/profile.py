"""A simulated run as a profile: what each part of each iteration takes by the costs, in the tables that a recorded run has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

from burstlab.errors import BurstlabError
from burstlab.profiles.columns import words
from burstlab.profiles.launch_families import with_families
from burstlab.profiles.schema import INSIDE, ITERATIONS, LAUNCHES
from burstlab.simulator.clock import PS_PER_US
from burstlab.simulator.costs.roofline.costs import Parts
from burstlab.simulator.loop import Delays, Run
from burstlab.simulator.noting import Noting
from burstlab.simulator.stretch import total_ps
from burstlab.simulator.tables import iterations_table

# All that costs tell apart but the gaps, which are nothing that runs.
_PARTS = Parts._fields[: Parts._fields.index("gaps")]
_COUNTED = ("context_requests", "context_tokens", "generation_requests", "generation_tokens", "kind")


def profile_tables(run: Run, costs: Noting) -> tuple[pa.Table, pa.Table]:
    """Launches and iterations (`profiles.schema`) of a run that `costs` were asked for.

    An iteration has one launch a part, named "simulated <part>", one after the other: kernels of different layers take turns,
    but only sums are known. What is left is overhead: gaps between kernels, and waiting for the CPU. One process on one GPU
    stands for all. The clock is the client's. Raises BurstlabError where the run kept no iterations.
    """
    if run.iterations is None:
        raise BurstlabError("this run kept no iterations: simulate with log_iterations")
    stretches = run.iterations.stretches()
    if len(costs.asked) != len(stretches["steps"]):
        raise BurstlabError(
            f"the costs were asked {len(costs.asked)} times, not once for each stretch of iterations"
        )
    counted = iterations_table(run)
    begin_us = np.array(list(_begins_us(stretches, run.delays)))
    parts_us = np.array(list(_parts_us(stretches, costs)), dtype=float)
    count = len(begin_us)
    duration_us = counted["elapsed_ms"].to_numpy() * 1000
    iterations = pa.table(
        [
            pa.array(np.zeros(count, dtype=np.int32)),
            pa.array(np.arange(count, dtype=np.int32)),
            *map(pa.array, (begin_us, duration_us, duration_us, parts_us.sum(axis=1))),
            pa.array((parts_us > 0).sum(axis=1)),
            *(counted[name] for name in _COUNTED),
        ],
        schema=ITERATIONS,
    )
    return _launches(begin_us, parts_us, counted["kind"].to_pylist()), iterations


def _begins_us(stretches: Mapping[str, np.ndarray], delays: Delays) -> Iterator[float]:
    """When each iteration begins; between those of a stretch the engine pauses."""
    requests = stretches["context_requests"] + stretches["generation_requests"]
    pause_ps = delays.pause_ps + delays.pause_each_ps * requests
    columns = (
        stretches["start_ps"],
        stretches["first_ps"] + pause_ps,
        stretches["growth_ps"],
        stretches["steps"],
    )
    for start_ps, each_ps, growth_ps, steps in zip(*(column.tolist() for column in columns), strict=True):
        for later in range(steps):
            yield (start_ps + total_ps(each_ps, growth_ps, later)) / PS_PER_US


def _parts_us(stretches: Mapping[str, np.ndarray], costs: Noting) -> Iterator[tuple[float, ...]]:
    for stretch, steps in enumerate(stretches["steps"].tolist()):
        for later in range(steps):
            yield costs.parts_us(stretch, later)[: len(_PARTS)]


def _launches(begin_us: np.ndarray, parts_us: np.ndarray, kinds: list[str]) -> pa.Table:
    iteration, part = np.nonzero(parts_us)
    own_us = parts_us[iteration, part]
    before_us = (np.cumsum(parts_us, axis=1) - parts_us)[iteration, part]
    count = len(own_us)
    one = pa.array(np.zeros(count, dtype=np.int32))
    known = list(dict.fromkeys(kinds))
    kind = np.array([known.index(word) for word in kinds], dtype=np.int8)
    columns = {
        "start_us": pa.array(begin_us[iteration] + before_us),
        "duration_us": pa.array(own_us),
        "self_us": pa.array(own_us),
        "process": one,
        "device": one,
        "name": words(part.astype(np.int32), [f"simulated {name}" for name in _PARTS]),
        "iteration": pa.array(iteration.astype(np.int32)),
        "kind": words(kind[iteration], known),
        "joined": words(np.zeros(count, dtype=np.int8), [INSIDE]),
    }
    table = [columns.get(field.name, pa.nulls(count, field.type)) for field in LAUNCHES]
    return with_families(pa.table(table, schema=LAUNCHES))
