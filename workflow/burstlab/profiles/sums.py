"""Launches summed by what a column says of them."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc


def own_time_us(launches: pa.Table) -> float:
    """The own time of all launches, in µs."""
    return float(pc.sum(launches["self_us"]).as_py() or 0.0)


def sums_by(
    launches: pa.Table, column: str, total_us: float
) -> Iterator[tuple[str | None, int, float, float]]:
    """Each value of `column` with its launches, their own time in µs, and its share of `total_us`."""
    grouped = launches.select([column, "self_us"]).group_by(column)
    for row in grouped.aggregate([("self_us", "sum"), ("self_us", "count")]).to_pylist():
        time_us = row["self_us_sum"]
        yield row[column], row["self_us_count"], time_us, time_us / total_us if total_us else 0.0
