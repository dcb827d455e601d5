"""All splits of a study: fit, predict, and compare."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.records.cell_record import MEASURED, read_record
from burstlab.simulator.validation.errors_table import Row, cell_rows
from burstlab.simulator.validation.fitted import Known, fit_cells
from burstlab.simulator.validation.split import Split, splits
from burstlab.simulator.validation.subject import subject
from burstlab.tables.study_tables import CELLS_TABLE, ITERATIONS_TABLE, REQUESTS_TABLE

Say = Callable[[str], None]
_MOST_SEEDS = 5


def validate(tables: Path, record_of: Callable[[str], Path], say: Say = lambda _: None) -> Iterator[Row]:
    """The rows of the table of errors, from the study tables in the folder `tables`.

    Measured cells take part that no gate excludes and that have a rate, the five lowest seeds of each. `record_of` gives the
    `cell.json` of a cell, which says what its engine ran with. `say` is told of cells and splits that are left out, and why.
    Raises BurstlabError where a table or a record is damaged.
    """
    cells = pq.read_table(tables / CELLS_TABLE).to_pylist()
    usable = [
        row for row in cells if row["evidence"] == MEASURED and row["counted"] and math.isfinite(row["rate"])
    ]
    for _, some in groupby(sorted(_first_seeds(usable), key=_engine), _engine):
        rows = {row["cell"]: row for row in some}
        known = _known(list(rows), tables, record_of, say)
        for split in splits([row for cell, row in rows.items() if cell in known]):
            yield from _predict(split, rows, known, say)


def _first_seeds(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """More would tell little of the simulator, and a study may have thousands of cells."""
    by_seed = sorted(rows, key=lambda row: (*_all_but_seed(row), row["seed"]))
    for _, same in groupby(by_seed, _all_but_seed):
        yield from islice(same, _MOST_SEEDS)


def _all_but_seed(row: dict[str, Any]) -> tuple[Any, ...]:
    return (*_engine(row), row["workload"], row["rate"], row["arrivals"], row["burstiness"] or 0.0)


def _engine(row: dict[str, Any]) -> tuple[str, str, str]:
    return (row["platform"], row["model"], row["engine"])


def _known(
    cells: Sequence[str], tables: Path, record_of: Callable[[str], Path], say: Say
) -> dict[str, Known]:
    sent, ran = (_rows_of(tables / name, cells) for name in (REQUESTS_TABLE, ITERATIONS_TABLE))
    found = {}
    for cell in cells:
        one = subject(read_record(record_of(cell)), sent(cell), ran(cell))
        if isinstance(one, str):
            say(f"{cell} is left out: {one}")
        else:
            found[cell] = Known(one)
    return found


def _rows_of(table: Path, cells: Sequence[str]) -> Callable[[str], pa.Table]:
    """A function that gives a cell's rows of the study table; rows of a cell stand together."""
    rows = pq.read_table(table, filters=[("cell", "in", list(cells))])
    runs = pc.run_end_encode(rows["cell"].combine_chunks())
    ends = runs.run_ends.to_pylist()
    places = dict(zip(runs.values.to_pylist(), zip([0, *ends], ends, strict=False), strict=True))

    def of_cell(cell: str) -> pa.Table:
        start, end = places.get(cell, (0, 0))
        return rows.slice(start, end - start)

    return of_cell


def _predict(
    split: Split, rows: dict[str, dict[str, Any]], known: dict[str, Known], say: Say
) -> Iterator[Row]:
    where = f"{split.way}, fitted on {split.fitted_on}"
    try:
        fitted = fit_cells([known[cell] for cell in split.known])
    except BurstlabError as error:
        say(f"{where}: {error}")
        return
    about = {"split": split.way, "fitted_on": split.fitted_on, "fitted_cells": len(split.known)}
    for cell in split.unknown:
        one = known[cell]
        speed = fitted.own_speed(one)
        scaled = fitted.at_speed(speed)
        try:
            simulated = one.subject.simulate(fitted.costs, fitted.delays)
            at_own_speed = one.subject.simulate(scaled.costs, scaled.delays)
        except BurstlabError as error:
            say(f"{where}: {cell} cannot be simulated: {error}")
            continue
        yield from cell_rows(rows[cell], about, simulated, at_own_speed, speed)
