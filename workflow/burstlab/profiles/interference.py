"""The interference index: how much more a decode token costs in mixed iterations than in decode-only ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.iterations.log import DECODE_ONLY, MIXED
from burstlab.profiles.breakdown import Breakdown
from burstlab.profiles.families import GRAPH, OVERHEAD
from burstlab.statistics.interval import Interval
from burstlab.statistics.student import t_quantile

# Not a part: the whole time of an iteration.
WHOLE = "iteration"
Per = Literal["token", "iteration"]
# Blocks that an interval takes at least, as in `statistics.blocks`.
_FEWEST = 4


@dataclass(frozen=True, slots=True)
class Index:
    """The index of one part.

    `mixed_us` and `decode_only_us` are the costs, in µs for each token that generation requests got (or for each
    iteration), and the interval is that of their ratio. Where there is none, `why` says so.
    """

    part: str
    mixed_us: float
    decode_only_us: float
    interval: Interval | None
    why: str | None = None


def interference(found: Breakdown, per: Per = "token", confidence: float = 0.95) -> list[Index]:
    """The index of the whole iteration, then of each part that took any time, from one process's iterations in order.

    (Σ time in mixed / Σ decode tokens in mixed) / (the same of decode-only). The time in mixed iterations has the prefill's own
    work in it, so an index above 1 alone is no artifact. Iterations of a run resemble their neighbours, so blocks of
    neighbours are left out in turn (delete-a-group jackknife of the log ratio, Wolter, "Introduction to Variance
    Estimation", 2007, chapter 4), with Student's t of blocks − 1. It says what this run leaves open; to compare conditions
    take the index of several runs (`statistics.level`). Raises BurstlabError where there are several processes, or where
    one of the kinds is not there.
    """
    processes = set(found.iterations["process"].to_pylist())
    if len(processes) > 1:
        raise BurstlabError(
            f"iterations of {len(processes)} processes at once: an index is of one, choose it with `of_process`"
        )
    kind = np.array(found.iterations["kind"].to_pylist(), dtype=str)
    for wanted in (MIXED, DECODE_ONLY):
        if not (kind == wanted).any():
            raise BurstlabError(f"no {wanted} iteration in the profile, so there is nothing to compare")
    tokens = found.iterations["generation_tokens"].to_numpy() if per == "token" else np.ones(len(kind))
    in_graphs = found.time_us[np.isin(kind, (MIXED, DECODE_ONLY)), found.parts.index(GRAPH)].any()
    return [
        _index(
            name, time_us, tokens, kind, confidence, hidden=bool(in_graphs) and name not in (WHOLE, OVERHEAD)
        )
        for name, time_us in _columns(found)
        if time_us.any()
    ]


def _columns(found: Breakdown) -> Iterator[tuple[str, np.ndarray]]:
    yield WHOLE, found.iterations["duration_us"].to_numpy()
    for column, name in enumerate(found.parts):
        yield name, found.time_us[:, column]


def _index(
    part: str, time_us: np.ndarray, tokens: np.ndarray, kind: np.ndarray, confidence: float, hidden: bool
) -> Index:
    block = _blocks(len(kind))
    sums = np.array(
        [
            np.bincount(block, weights=np.where(kind == wanted, values, 0.0))
            for wanted in (MIXED, DECODE_ONLY)
            for values in (time_us, tokens)
        ]
    )
    total = sums.sum(axis=1)
    mixed_us, decode_only_us = float(total[0] / total[1]), float(total[2] / total[3])
    if hidden:
        why = "whole CUDA graphs hide what ran in them: profile with --cuda-graph-trace=node"
        return Index(part, mixed_us, decode_only_us, None, why)
    if not (mixed_us and decode_only_us):
        why = f"it runs in {MIXED if mixed_us else DECODE_ONLY} iterations alone"
        return Index(part, mixed_us, decode_only_us, None, why)
    without = total[:, None] - sums
    blocks = sums.shape[1]
    if blocks < _FEWEST:
        why = f"{len(kind)} iterations are too few for {_FEWEST} blocks"
        return Index(part, mixed_us, decode_only_us, None, why)
    if (without <= 1e-9 * total[:, None]).any():
        return Index(part, mixed_us, decode_only_us, None, "one block of iterations has all of a kind")
    return Index(part, mixed_us, decode_only_us, _interval(total, without, confidence))


def _blocks(iterations: int) -> np.ndarray:
    """The block of each iteration: as long as in `statistics.blocks`, 4·√n, and the rest goes to the last."""
    length = max(1, round(4 * iterations**0.5))
    blocks: np.ndarray = np.minimum(np.arange(iterations) // length, max(iterations // length, 1) - 1)
    return blocks


def _interval(total: np.ndarray, without: np.ndarray, confidence: float) -> Interval:
    center = float(_log_ratio(total))
    left_out = _log_ratio(without)
    blocks = len(left_out)
    error = math.sqrt((blocks - 1) / blocks * float(((left_out - left_out.mean()) ** 2).sum()))
    half = t_quantile(confidence, blocks - 1) * error
    return Interval(
        math.exp(center),
        math.exp(center - half),
        math.exp(min(center + half, 700.0)),
        blocks,
        "jackknife over blocks of iterations, with t on the log ratio",
    )


def _log_ratio(sums: np.ndarray) -> np.ndarray:
    ratios: np.ndarray = np.log(sums[0] / sums[1]) - np.log(sums[2] / sums[3])
    return ratios
