"""How often the 95% intervals hold the truth, and how often a verdict calls a change where there is none.

    PYTHONPATH=workflow python benchmarks/coverage.py

Made-up runs with a known truth: latencies are lognormal (skewed), neighbours within a run are correlated (0.9 from
one request to the next), and each run has a level of its own that is skewed too. Two conditions share a part of that
level, as two conditions with one seed do. All numbers printed are simulated.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np

from burstlab.claims.check import UNTOLD, Check, adjusted, falls
from burstlab.claims.decide import trend_of
from burstlab.statistics.bca import bca_interval
from burstlab.statistics.blocks import block_quantile_interval
from burstlab.statistics.interval import Interval
from burstlab.statistics.level import level_interval
from burstlab.statistics.power import power
from burstlab.statistics.relative_change import change_p_value, log_ratios, relative_change
from burstlab.statistics.run_quantile import run_quantile_interval
from burstlab.statistics.student import mean_interval, t_quantile

REQUESTS = 75
SEEDS = (5, 10, 20)
FEW = (2, 3, 4, 5)
GROUPS = 6
METRICS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda runs: runs.mean(axis=-1),
    "median": lambda runs: np.median(runs, axis=-1),
    "p90": lambda runs: np.quantile(runs, 0.9, axis=-1),
}
Runs = np.ndarray


def main() -> None:
    """Print the tables of docs/validity.md."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--studies", type=int, default=2000, help="made-up studies behind each figure")
    parser.add_argument(
        "--bootstrap-studies", type=int, default=600, help="the same where a study bootstraps"
    )
    asked = parser.parse_args()
    print("coverage in %, by seeds", *SEEDS)
    for name, shares in (
        *_paired(asked.studies),
        *_levels(asked.studies),
        *_bootstraps(asked.bootstrap_studies),
    ):
        print(f"{name:<66}", *(f"{share:6.1%}" for share in shares))
    for step in (0.5, 0.9, 0.97):
        name = f"one run of 1000 requests correlated by {step:g}: p90, by blocks"
        print(f"{name:<66} {_one_run(asked.bootstrap_studies, step):6.1%}")
    print("false calls and power, by seeds", *SEEDS)
    for name, shares in _calls(asked.studies):
        print(f"{name:<66}", *(f"{share:6.1%}" for share in shares))
    print("few pairs, by pairs", *FEW)
    for name, shares in _few_pairs(asked.studies):
        print(f"{name:<66}", *(f"{share:6.1%}" for share in shares))


def draw(rng: np.random.Generator, studies: int, seeds: int, change: bool = True) -> tuple[Runs, Runs]:
    """Latencies before and after, shape (studies, seeds, requests) each.

    With `change`, the second is a fifth lower and more spread out; without, both have the same law.
    """
    shared = _level(rng, (studies, seeds))
    before, after = (shared + 0.5 * _level(rng, (studies, seeds)) for _ in range(2))
    noise = [_correlated(rng, (studies, seeds, REQUESTS)) for _ in range(2)]
    if change:
        after, noise[1] = 1.3 * after + np.log(0.8), 1.3 * noise[1]
    return np.exp(before[..., None] + 0.6 * noise[0]), np.exp(after[..., None] + 0.6 * noise[1])


def _level(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    # Gamma of shape 2, centred: skewness 1.4 on the log scale already.
    return 0.15 * (rng.gamma(2.0, size=shape) - 2.0)


def _correlated(rng: np.random.Generator, shape: tuple[int, ...], step: float = 0.9) -> np.ndarray:
    steps = rng.standard_normal(shape)
    values = np.empty(shape)
    values[..., 0] = steps[..., 0]
    for index in range(1, shape[-1]):
        values[..., index] = step * values[..., index - 1] + np.sqrt(1 - step**2) * steps[..., index]
    return values


def _truth() -> tuple[Runs, Runs]:
    before, after = draw(np.random.default_rng(1), 100_000, 1)
    return before[:, 0], after[:, 0]


def _paired(studies: int) -> Iterator[tuple[str, list[float]]]:
    old, new = _truth()
    for name, metric in METRICS.items():
        change = float(np.expm1(np.mean(np.log(metric(new) / metric(old)))))
        difference = float(np.mean(metric(new) - metric(old)))
        by_log, by_difference = [], []
        for seeds in SEEDS:
            before, after = (metric(runs) for runs in draw(np.random.default_rng(seeds), studies, seeds))
            pairs = list(zip(before, after, strict=True))
            by_log.append(_share(change, (relative_change(_seeded(b), _seeded(a)) for b, a in pairs)))
            by_difference.append(_share(difference, (mean_interval(a - b) for b, a in pairs)))
        yield f"relative change of the {name}, t on log ratios", by_log
        yield f"difference of the {name}, t on paired differences", by_difference


def _levels(studies: int) -> Iterator[tuple[str, list[float]]]:
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


def _bootstraps(studies: int) -> Iterator[tuple[str, list[float]]]:
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


def _one_run(studies: int, step: float) -> float:
    """Coverage of the run's own law, whose level is given: its quantile is known exactly."""
    rng = np.random.default_rng(0)
    runs = np.exp(0.6 * _correlated(rng, (studies, 1000), step))
    truth = float(np.exp(0.6 * 1.2815515655446004))
    return _share(truth, (block_quantile_interval(run, 0.9, resamples=500) for run in runs))


def _calls(studies: int) -> Iterator[tuple[str, list[float]]]:
    """A null study has 24 comparisons, as 6 groups with 4 metrics have."""
    single, family, corrected, told, foretold = [], [], [], [], []
    for seeds in SEEDS:
        rng = np.random.default_rng(100 + seeds)
        groups = [draw(rng, studies, seeds, change=False) for _ in range(6)]
        p_values = np.array(
            [
                [
                    _p(metric(before[study]), metric(after[study]))
                    for before, after in groups
                    for metric in _FOUR
                ]
                for study in range(studies)
            ]
        )
        single.append(float((p_values <= 0.05).mean()))
        family.append(float((p_values <= 0.05).any(axis=1).mean()))
        corrected.append(float(np.mean([_verdict(groups, study) != UNTOLD for study in range(studies)])))
        before, after = (METRICS["mean"](runs) for runs in draw(rng, studies, seeds))
        told.append(float(np.mean([_p(b, a) <= 0.05 for b, a in zip(before, after, strict=True)])))
        logs = np.log(after / before).ravel()
        foretold.append(power(seeds, float(logs.mean()), float(logs.std(ddof=1))))
    yield "no change: one comparison calls one", single
    yield "no change: any of 24 comparisons calls one, uncorrected", family
    yield "no change: a verdict on 24 (Benjamini-Hochberg) is not 'not told'", corrected
    yield "a real change of the mean is told", told
    yield "the same, foretold by the power formula", foretold


_FOUR = (*METRICS.values(), lambda runs: np.quantile(runs, 0.75, axis=-1))


def _verdict(groups: list[tuple[Runs, Runs]], study: int) -> str:
    """The trend that the ledger's own rules make of one study."""
    checks = []
    for before, after in groups:
        for metric in _FOUR:
            old, new = _seeded(metric(before[study])), _seeded(metric(after[study]))
            interval = relative_change(old, new)
            assert interval is not None
            check = Check("change", "", "simulated", interval, falls(), p_value=change_p_value(old, new))
            checks.append(check)
    return trend_of([check.result for check in adjusted(checks)])


def _few_pairs(studies: int) -> Iterator[tuple[str, list[float]]]:
    """One group of few pairs beside others of five: what its own interval does, and one that borrows their spread.

    Widths are of relative changes, from the lower to the upper bound. A joined interval reaches from the lowest to the highest
    bound of all groups, as a verdict's does.
    """
    rows: dict[str, list[float]] = {}
    truth = float(_log_ratios(np.random.default_rng(1), 100_000, 1).mean())
    for pairs in FEW:
        rng = np.random.default_rng(200 + pairs)
        few = _log_ratios(rng, studies, pairs)
        others = np.stack([_log_ratios(rng, studies, 5) for _ in range(GROUPS - 1)], axis=1)
        own, rest = _bounds(few), _bounds(others)
        left_out = np.stack([rest[0].min(axis=1), rest[1].max(axis=1)])
        joined = np.stack([np.minimum(own[0], left_out[0]), np.maximum(own[1], left_out[1])])
        found = {
            "coverage, t on the group's own log ratios": _holding(truth, own),
            "coverage, spread pooled over groups that are alike": _holding(truth, _pooled(few, others)),
            "coverage, spread pooled, the group with few twice as noisy": _holding(
                truth, _pooled(truth + 2 * (few - truth), others)
            ),
            "width of the group's own interval, median": _width(own),
            "width of six groups joined, median": _width(joined),
            "width of the five others joined, median": _width(left_out),
        }
        for name, value in found.items():
            rows.setdefault(name, []).append(value)
    yield from rows.items()


def _log_ratios(rng: np.random.Generator, studies: int, pairs: int) -> np.ndarray:
    """Log ratios of the mean, shape (studies, pairs)."""
    before, after = (METRICS["mean"](runs) for runs in draw(rng, studies, pairs))
    ratios: np.ndarray = np.log(after / before)
    return ratios


def _bounds(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of Student's interval over the last axis: what `mean_interval` gives, of many at once."""
    pairs = values.shape[-1]
    half = t_quantile(0.95, pairs - 1) * values.std(axis=-1, ddof=1) / np.sqrt(pairs)
    return values.mean(axis=-1) - half, values.mean(axis=-1) + half


def _pooled(few: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds for `few` with the variance within all groups, weighted by their degrees of freedom."""
    pairs, groups, fives = few.shape[-1], others.shape[1], others.shape[2]
    degrees = pairs - 1 + groups * (fives - 1)
    squares = (pairs - 1) * few.var(axis=-1, ddof=1) + (fives - 1) * others.var(axis=-1, ddof=1).sum(axis=1)
    half = t_quantile(0.95, degrees) * np.sqrt(squares / degrees / pairs)
    return few.mean(axis=-1) - half, few.mean(axis=-1) + half


def _holding(truth: float, bounds: tuple[np.ndarray, np.ndarray]) -> float:
    return float(((bounds[0] <= truth) & (truth <= bounds[1])).mean())


def _width(bounds: tuple[np.ndarray, np.ndarray] | np.ndarray) -> float:
    return float(np.median(np.expm1(bounds[1]) - np.expm1(bounds[0])))


def _p(before: np.ndarray, after: np.ndarray) -> float:
    found = change_p_value(_seeded(before), _seeded(after))
    assert found is not None
    assert len(log_ratios(_seeded(before), _seeded(after))) == len(before)
    return found


def _seeded(values: np.ndarray) -> dict[int, float]:
    return dict(enumerate(values.tolist()))


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


if __name__ == "__main__":
    main()
