"""How often 95% intervals hold the truth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from made_up import METRICS, Runs, correlated, draw, seeded

from burstlab.statistics.bca import bca_interval
from burstlab.statistics.blocks import block_quantile_interval
from burstlab.statistics.interval import Interval
from burstlab.statistics.level import level_interval
from burstlab.statistics.relative_change import relative_change
from burstlab.statistics.run_quantile import run_quantile_interval
from burstlab.statistics.student import mean_interval

SEEDS = (5, 10, 20)


def _truth() -> tuple[Runs, Runs]:
    before, after = draw(np.random.default_rng(1), 100_000, 1)
    return before[:, 0], after[:, 0]


def paired(studies: int) -> Iterator[tuple[str, list[float]]]:
    old, new = _truth()
    for name, metric in METRICS.items():
        change = float(np.expm1(np.mean(np.log(metric(new) / metric(old)))))
        difference = float(np.mean(metric(new) - metric(old)))
        by_log, by_difference = [], []
        for seeds in SEEDS:
            before, after = (metric(runs) for runs in draw(np.random.default_rng(seeds), studies, seeds))
            pairs = list(zip(before, after, strict=True))
            by_log.append(_share(change, (relative_change(seeded(b), seeded(a)) for b, a in pairs)))
            by_difference.append(_share(difference, (mean_interval(a - b) for b, a in pairs)))
        yield f"relative change of the {name}, t on log ratios", by_log
        yield f"difference of the {name}, t on paired differences", by_difference


def levels(studies: int) -> Iterator[tuple[str, list[float]]]:
    _, new = _truth()
    for name, metric in METRICS.items():
        plain, logged = [], []
        for seeds in SEEDS:
            values = metric(draw(np.random.default_rng(seeds), studies, seeds)[1])
            plain.append(_share(float(metric(new).mean()), (mean_interval(row) for row in values)))
            truth = float(np.exp(np.log(metric(new)).mean()))
            logged.append(_share(truth, (level_interval(row) for row in values)))
        yield f"level of the {name} (one condition), t", plain
        yield f"level of the {name} (one condition), t on logs", logged


def bootstraps(studies: int) -> Iterator[tuple[str, list[float]]]:
    old, new = _truth()
    rows: dict[str, list[float]] = {}
    for seeds in SEEDS:
        before, after = draw(np.random.default_rng(seeds), studies, seeds)
        mean = METRICS["mean"]
        pairs = list(zip(mean(before), mean(after), strict=True))
        found = {
            "ratio of means, BCa over seeds": _share(
                float(mean(new).mean() / mean(old).mean()),
                (bca_interval([b, a], _ratio_of_means, resamples=1000) for b, a in pairs),
            ),
            "mean of the level, BCa over seeds": _share(
                float(mean(new).mean()), (bca_interval([a], np.mean, resamples=1000) for _, a in pairs)
            ),
        }
        for q in (0.5, 0.9):
            truth = float(np.quantile(new, q))
            found[f"pooled {q:.0%} quantile, runs resampled, with t"] = _share(
                truth, (run_quantile_interval(list(runs), q, resamples=500) for runs in after)
            )
            found[f"pooled {q:.0%} quantile, single requests resampled (wrong)"] = _share(
                truth, (_naive(runs.ravel(), q) for runs in after)
            )
        for name, share in found.items():
            rows.setdefault(name, []).append(share)
    yield from rows.items()


def one_run(studies: int, step: float) -> float:
    """Coverage of the run's own law, whose level is given: its quantile is known exactly."""
    rng = np.random.default_rng(0)
    runs = np.exp(0.6 * correlated(rng, (studies, 1000), step))
    truth = float(np.exp(0.6 * 1.2815515655446004))
    return _share(truth, (block_quantile_interval(run, 0.9, resamples=500) for run in runs))


def _ratio_of_means(before: np.ndarray, after: np.ndarray, axis: int) -> np.ndarray:
    ratio: np.ndarray = after.mean(axis=axis) / before.mean(axis=axis)
    return ratio


def _naive(values: np.ndarray, q: float) -> Interval:
    drawn = np.random.default_rng(0).choice(values, (300, len(values)))
    bounds = np.quantile(np.quantile(drawn, q, axis=1), [0.025, 0.975])
    estimate = float(np.clip(np.quantile(values, q), *bounds))
    return Interval(estimate, float(bounds[0]), float(bounds[1]), len(values), "bootstrap over requests")


def _share(truth: float, intervals: Iterator[Interval | None]) -> float:
    holds = [found is not None and found.low <= truth <= found.high for found in intervals]
    return float(np.mean(holds))
