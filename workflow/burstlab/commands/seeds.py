"""`burstlab seeds`: say how many more seeds it takes to tell a change of a given size."""

import argparse
from collections.abc import Iterator

from burstlab.claims.evidence import Contrast, Evidence
from burstlab.commands.options import add_results
from burstlab.errors import BurstlabError
from burstlab.figures.tables import Tables
from burstlab.statistics.pairing import LEAST_PAIRS
from burstlab.statistics.power import power
from burstlab.statistics.seed_plan import SeedPlan, seed_plan
from burstlab.wording import count

HELP = "say how many more seeds it takes to tell a change of a given size"
METRICS = ("median_tpot_ms", "p90_tpot_ms", "mean_e2el_ms", "median_ttft_ms")
TABLE_SEEDS, TABLE_EFFECTS = (3, 5, 10, 20, 40), (0.05, 0.1, 0.2, 0.5)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab seeds`."""
    add_results(parser)
    parser.add_argument("--effect", type=float, default=0.1, help="relative change to tell; 0.1 is 10%%")
    parser.add_argument("--power", type=float, default=0.8, help="share of studies that are to tell it")
    parser.add_argument(
        "--metric", action="append", metavar="COLUMN", help="of the cells table; may be repeated"
    )
    parser.add_argument("--power-table", action="store_true", help="add the power by seeds and effect")


def run(asked: argparse.Namespace) -> str:
    """A line for each group, rate and metric, from the seeds that are there and counted."""
    _check(asked)
    tables = asked.results / "tables"
    evidence = Evidence(Tables(tables))
    metrics = tuple(asked.metric or METRICS)
    unknown = [name for name in metrics if name not in evidence.cells]
    if unknown:
        raise BurstlabError(f"--metric {unknown[0]}: {tables}/cells.parquet has no such column")
    lines = [
        f"To tell a change of {asked.effect:.0%} in {asked.power:.0%} of studies (paired t-test of log ratios, two-sided, 5%).",
        "needed: if the s.d. is as seen; safe: if it is as large as these seeds allow (80% upper limit); "
        "tells: the least change that the seeds at hand tell.",
        "",
    ]
    found = list(_plans(evidence, metrics, asked))
    head = ("group", "metric", "seeds", "s.d.", "tells", "needed", "safe", "more")
    lines += _aligned([head, *(_cells(contrast, metric, plan) for contrast, metric, plan in found)], left=2)
    if not found:
        lines.append("No two burstinesses share two counted seeds.")
    lines += _doubts([plan for _, _, plan in found])
    if asked.power_table:
        lines += [
            "",
            *(line for contrast, metric, plan in found for line in _power_table(contrast, metric, plan)),
        ]
    return "\n".join(lines)


def _check(asked: argparse.Namespace) -> None:
    if not asked.effect > 0:
        raise BurstlabError(f"--effect {asked.effect:g}: must be above 0; 0.1 is 10%")
    if not 0.05 < asked.power < 1:
        raise BurstlabError(f"--power {asked.power:g}: must be between 0.05 and 1")


def _plans(
    evidence: Evidence, metrics: tuple[str, ...], asked: argparse.Namespace
) -> Iterator[tuple[Contrast, str, SeedPlan]]:
    for contrast in evidence.contrasts():
        for metric in metrics:
            plan = seed_plan(contrast.steady(metric), contrast.bursty(metric), asked.effect, asked.power)
            if plan is not None:
                yield contrast, metric, plan


def _cells(contrast: Contrast, metric: str, plan: SeedPlan) -> tuple[str, ...]:
    numbers = (plan.needed, plan.safe, plan.more)
    counts = [">10000" if number is None else str(number) for number in numbers]
    if plan.seeds < LEAST_PAIRS:
        counts[0] += "?"
    return (
        _name(contrast),
        metric,
        str(plan.seeds),
        f"{plan.deviation:.3f}",
        f"{plan.detectable:.0%}",
        *counts,
    )


def _name(contrast: Contrast) -> str:
    one = contrast.subject
    return f"{one.platform}/{one.model}/{one.engine}/{one.workload} {one.rate:g}/s {contrast.evidence}"


def _doubts(plans: list[SeedPlan]) -> list[str]:
    """A line where a plan rests on too few seeds to know their spread."""
    few = sum(plan.seeds < LEAST_PAIRS for plan in plans)
    if not few:
        return []
    return [
        "",
        f"?: {few} of {count(len(plans), 'line')} from fewer than {LEAST_PAIRS} seeds, on which no verdict rests: two may agree "
        "by chance, so their s.d. says next to nothing. Add seeds, and ask again.",
    ]


def _aligned(rows: list[tuple[str, ...]], left: int) -> list[str]:
    """The rows with columns as wide as what is in them; the first `left` ones begin, the others end, at one place."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        " ".join(
            text.ljust(width) if place < left else text.rjust(max(width, 7))
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _power_table(contrast: Contrast, metric: str, plan: SeedPlan) -> Iterator[str]:
    from math import log1p

    yield f"power, {_name(contrast)}, {metric}:"
    rows = [("change \\ seeds", *map(str, TABLE_SEEDS))]
    for effect in TABLE_EFFECTS:
        chances = [f"{power(seeds, log1p(effect), plan.deviation):.0%}" for seeds in TABLE_SEEDS]
        rows.append((f"{effect:.0%}", *chances))
    yield from _aligned(rows, left=1)
