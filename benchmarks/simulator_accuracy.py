"""How well the simulator predicts measured cells that its costs were not fitted to.

    python benchmarks/simulator_accuracy.py [--collection collections/default] [--each] [--costs]

The same as the study's table of errors (`simulator/validation/`): costs and delays are fitted to some cells of a model, and other
cells are simulated from planned send times and lengths. Printed are errors, simulated/measured − 1, of each metric, and of the
decode-only share of tokens the difference in points: the median over predicted cells, the median of the size, the largest,
and the median of the size where costs are scaled to the sum of durations in the predicted cell itself. `--each` prints
each cell too.

`--costs` shows instead what was fitted to all cells of a model, and how well the iterations of a left out cell are predicted.
"""

import argparse
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from burstlab.records.cell_record import read_record
from burstlab.simulator.costs.fitted.terms import TERMS
from burstlab.simulator.costs.fitted.validation import cross_validate
from burstlab.simulator.validation.fitted import Known, fit_cells
from burstlab.simulator.validation.goals import COMPARED
from burstlab.simulator.validation.subject import subject
from burstlab.simulator.validation.validate import validate


def main() -> None:
    """Print the errors."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--collection", type=Path, default=Path("collections/default"))
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--costs", action="store_true")
    arguments = parser.parse_args()
    if arguments.costs:
        show_costs(arguments.collection)
        return
    cells = arguments.collection / "cells"
    rows = pd.DataFrame(
        validate(arguments.collection / "tables", lambda cell: cells / cell / "cell.json", print)
    )
    for (model, way), some in rows.groupby(["model", "split"]):
        speeds = np.percentile(some.drop_duplicates("cell")["own_speed"], [10, 90])
        print(
            f"\n{model}, {way}: {some['cell'].nunique()} cells; "
            f"their durations were {speeds[0]:.2f} to {speeds[1]:.2f} of the fitted"
        )
        for one in COMPARED:
            show(one.metric, some[some["metric"] == one.metric])
        if arguments.each:
            shown = some.pivot_table(index="cell", columns="metric", values="error")
            print(shown.to_string(float_format=lambda value: f"{value:+.3f}"))


def show(name: str, rows: pd.DataFrame) -> None:
    """A line of the table."""
    sizes, asked = rows["error"].abs(), rows["within_goal"].dropna()
    hit = f"  {asked.sum()} of {len(asked)} cells within {rows['goal'].iloc[0]:.0%}" if len(asked) else ""
    own = rows["error_at_own_speed"].abs().median()
    print(
        f"  {name:24s} {rows['error'].median():+7.1%} {sizes.median():6.1%} {sizes.max():6.1%} {own:6.1%}{hit}"
    )


def show_costs(collection: Path) -> None:
    """Coefficients, delays, residuals, and errors of cells that were left out, of each model."""
    models: dict[str, list[Known]] = {}
    for path in sorted((collection / "cells").rglob("cell.json")):
        record = read_record(path)
        if record.evidence == "measured" and not record.failed_gates and math.isfinite(record.cell.rate):
            tables = [pq.read_table(path.parent / f"{name}.parquet") for name in ("requests", "iterations")]
            found = subject(record, *tables)
            if not isinstance(found, str):
                models.setdefault(record.cell.model, []).append(Known(found))
    for model, cells in models.items():
        show_model(model, cells)


def show_model(model: str, cells: list[Known]) -> None:
    """Of one model."""
    fitted = fit_cells(cells)
    residuals = fitted.fit.residuals
    print(f"\n{model}: fitted to {len(residuals):,} iterations of {len(cells)} cells")
    for term, each_ms in zip(TERMS, fitted.fit.coefficients_ms, strict=True):
        print(f"  {term.name:16s} {each_ms:10.5f} ms a {term.unit:14s}  {term.meaning}")
    print(f"  {fitted.delays}")
    low, median, high = np.percentile(residuals, [5, 50, 95])
    print(f"  residuals: 5th percentile {low:+.1%}, median {median:+.1%}, 95th {high:+.1%}")
    held_out = cross_validate([(cell.subject.cell, cell.subject.rebuilt.batches) for cell in cells])
    sums = np.abs([error.of_sum for error in held_out])
    typical = np.median([error.typical for error in held_out])
    print(
        f"  left out: sum of durations off by {np.median(sums):.1%} in the median and {sums.max():.1%} at most;",
        end=" ",
    )
    print(f"a single iteration typically by {typical:.1%}")


if __name__ == "__main__":
    main()
