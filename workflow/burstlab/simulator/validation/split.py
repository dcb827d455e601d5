"""Which cells are fitted and which are predicted from them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

Row = dict[str, Any]
"""A row of the table of cells."""

SEEDS, ARRIVALS, RATES, WORKLOADS = "other seeds", "other burstiness", "other rates", "other workloads"
WAYS = (SEEDS, ARRIVALS, RATES, WORKLOADS)
_FITTED_SEEDS = 2


@dataclass(frozen=True, slots=True)
class Split:
    """Cells of one platform, model and engine: those that are fitted, which `fitted_on` says in words, and those to predict."""

    way: str
    fitted_on: str
    known: tuple[str, ...]
    unknown: tuple[str, ...]


def splits(rows: Sequence[Row]) -> Iterator[Split]:
    """All splits of the given cells, which are of one platform, model and engine.

    - other seeds: at one workload and rate, the two lowest seeds of each arrivals tell the others;
    - other burstiness: at one workload and rate, the arrivals closest to Poisson tell all others;
    - other rates: at one workload, each rate is told by the others;
    - other workloads: each workload is told by the others.

    Where one side would be empty there is no such split.
    """
    for (workload, rate), same in _groups(rows, "workload", "rate"):
        where = f"{workload} at {rate:g} requests/s"
        yield from _split(SEEDS, f"{where}, the two lowest seeds of each burstiness", same, _lowest(same))
        gamma = [row["burstiness"] for row in same if row["burstiness"] is not None]
        if gamma:
            calmest = min(gamma, key=_from_poisson)
            yield from _split(ARRIVALS, f"{where}, b = {calmest:g}", same, _having("burstiness", calmest))
    for (workload,), same in _groups(rows, "workload"):
        for (rate,), _ in _groups(same, "rate"):
            yield from _split(
                RATES, f"{workload} at other rates than {rate:g} requests/s", same, _lacking("rate", rate)
            )
    for (workload,), _ in _groups(rows, "workload"):
        yield from _split(WORKLOADS, f"other workloads than {workload}", rows, _lacking("workload", workload))


def _split(way: str, fitted_on: str, rows: Sequence[Row], known: Callable[[Row], bool]) -> Iterator[Split]:
    sides: tuple[list[str], list[str]] = ([], [])
    for row in rows:
        sides[0 if known(row) else 1].append(row["cell"])
    if sides[0] and sides[1]:
        yield Split(way, fitted_on, tuple(sides[0]), tuple(sides[1]))


def _groups(rows: Sequence[Row], *columns: str) -> Iterator[tuple[tuple[Any, ...], list[Row]]]:
    def key(row: Row) -> tuple[Any, ...]:
        return tuple(row[column] for column in columns)

    for values, some in groupby(sorted(rows, key=key), key):
        yield values, list(some)


def _lowest(rows: Sequence[Row]) -> Callable[[Row], bool]:
    seeds: dict[Hashable, set[int]] = {}
    for row in rows:
        seeds.setdefault((row["arrivals"], row["burstiness"]), set()).add(row["seed"])
    lowest = {arrivals: sorted(some)[:_FITTED_SEEDS] for arrivals, some in seeds.items()}
    return lambda row: row["seed"] in lowest[row["arrivals"], row["burstiness"]]


def _from_poisson(burstiness: float) -> float:
    return max(burstiness, 1 / burstiness)


def _having(column: str, value: object) -> Callable[[Row], bool]:
    return lambda row: bool(row[column] == value)


def _lacking(column: str, value: object) -> Callable[[Row], bool]:
    return lambda row: bool(row[column] != value)
