"""Which mechanism changes the time between tokens: other kinds of iteration, or other durations of the same kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from burstlab.advice.compare import Comparison, values
from burstlab.iterations.decomposition import Costs, decompose
from burstlab.simulator.outcome import Kind, Outcome
from burstlab.statistics.interval import Interval, exact
from burstlab.statistics.student import mean_interval

SHARES, DECODE_ONLY, MIXED = "kinds", "decode-only", "mixed"


@dataclass(frozen=True)
class Side:
    """Means over seeds under one kind of arrivals: shares of tokens, what a decode token waits for in each kind of iteration (its
    duration), with how many decodes and, in mixed ones, how many tokens of prompts.
    """

    decode_only_share: float
    decode_only_ms: float
    mixed_ms: float
    decode_only_decodes: float
    mixed_decodes: float
    mixed_prompt_tokens: float
    ttft_ms: float
    decoding_ms: float

    @property
    def ratio(self) -> float:
        """How many times as long a token waits in a mixed iteration."""
        return self.mixed_ms / self.decode_only_ms


@dataclass(frozen=True)
class Mechanism:
    """The three parts of the change of the mean time between tokens, in ms with 95% intervals over seeds; they add up to it.

    It is that of iterations alone, without pauses, and over tokens rather than requests. `parts` are by `SHARES`, `DECODE_ONLY`
    and `MIXED`. `responsible` is the part that is largest in the direction of the change.
    """

    steady: Side
    bursty: Side
    interval_ms: float
    change_ms: Interval
    parts: Mapping[str, Interval]
    responsible: str


def mechanism(comparison: Comparison) -> Mechanism:
    """What `decompose` says of all seeds, where each token counts once: durations are those that tokens wait for."""
    before, after = _costs(comparison)
    found = decompose(before, after)
    parts = {
        SHARES: _interval(found.shares_ms),
        DECODE_ONLY: _interval(found.decode_only_ms),
        MIXED: _interval(found.mixed_ms),
    }
    change = _interval(after.interval_ms - before.interval_ms)
    direction = 1 if change.estimate > 0 else -1
    return Mechanism(
        steady=_side(comparison.steady),
        bursty=_side(comparison.bursty),
        interval_ms=float(before.interval_ms.mean()),
        change_ms=change,
        parts=parts,
        responsible=max(parts, key=lambda name: direction * parts[name].estimate),
    )


def _costs(comparison: Comparison) -> tuple[Costs, Costs]:
    seeds = sorted(comparison.steady)
    before, after = ([side[seed] for seed in seeds] for side in (comparison.steady, comparison.bursty))
    both = before + after
    alone_ms, mixed_ms = (_known(kind.token_ms for kind in kinds) for kinds in _kinds(both))
    shares = np.nan_to_num([one.decode_only.token_share for one in both], nan=1.0)
    half = len(seeds)
    return (
        Costs(shares[:half], alone_ms[:half], mixed_ms[:half]),
        Costs(shares[half:], alone_ms[half:], mixed_ms[half:]),
    )


def _kinds(outcomes: list[Outcome]) -> tuple[list[Kind], list[Kind]]:
    return [one.decode_only for one in outcomes], [one.mixed for one in outcomes]


def _known(durations_ms: Iterable[float]) -> np.ndarray:
    """Where a run had no iteration of a kind, the mean of the others stands for it: its share is 0, so it adds nothing itself."""
    found = np.array(list(durations_ms))
    known = found[np.isfinite(found)]
    return np.where(np.isfinite(found), found, known.mean() if len(known) else 0.0)


def _side(outcomes: Mapping[int, Outcome]) -> Side:
    alone, mixed = _kinds(list(outcomes.values()))
    ttft_ms = _mean(values(outcomes, "mean", "ttft").values())
    return Side(
        decode_only_share=_mean(kind.token_share for kind in alone),
        decode_only_ms=_mean(kind.token_ms for kind in alone),
        mixed_ms=_mean(kind.token_ms for kind in mixed),
        decode_only_decodes=_mean(kind.decodes for kind in alone),
        mixed_decodes=_mean(kind.decodes for kind in mixed),
        mixed_prompt_tokens=_mean(kind.prompt_tokens for kind in mixed),
        ttft_ms=ttft_ms,
        decoding_ms=_mean(values(outcomes, "mean", "e2el").values()) - ttft_ms,
    )


def _mean(found: Iterable[float]) -> float:
    known = [value for value in found if np.isfinite(value)]
    return float(np.mean(known)) if known else float("nan")


def _interval(found: np.ndarray) -> Interval:
    # A question has three seeds or more, of which an interval can be made.
    return mean_interval(found) or exact(float(found.mean()))
