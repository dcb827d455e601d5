"""How well the simulator predicts measured cells that its costs were not fitted to.

    python benchmarks/simulator_accuracy.py [--cells collections/default/cells] [--each] [--costs]

Costs and delays are fitted to the iterations and requests of some cells of a model, and other cells are simulated from the send
times that were planned and the lengths. Three ways to hold out: other seeds, other burstiness, other lengths. Printed are errors,
simulated/measured − 1, of each metric, and of the decode-only share of tokens the difference in points: the median over held-out
cells, the median of the size, and the largest. Cells that a gate excludes are left out throughout. `--each` prints each cell too.

A machine is not always equally fast. So the last column has the median of the size where the costs are scaled to the sum of
durations in the held-out cell itself: no prediction, but what would be left if the machine had been as fast as when the other
cells were measured.

`--costs` shows instead what was fitted to all cells of a model, and how well the iterations of a left out cell are predicted.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from burstlab.records.cell_record import read_record
from burstlab.records.schema import CellRecord
from burstlab.records.summary import compute_summary
from burstlab.simulator.clock import PS_PER_S
from burstlab.simulator.costs.fitted.costs import FittedCosts
from burstlab.simulator.costs.fitted.delays import fit_delays
from burstlab.simulator.costs.fitted.fit import Fit, durations_ms, fit, matrix
from burstlab.simulator.costs.fitted.from_iterations import Rebuilt, rebuild
from burstlab.simulator.costs.fitted.terms import TERMS
from burstlab.simulator.costs.fitted.validation import cross_validate
from burstlab.simulator.loop import Delays, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table, requests_table

METRICS = [
    f"{statistic}_{name}_ms" for name in ("ttft", "tpot", "e2el") for statistic in ("median", "mean", "p99")
]
SHARE = "decode_only_token_share"
TARGETS = {"median_tpot_ms": 0.03, "mean_e2el_ms": 0.05, "median_ttft_ms": 0.10, SHARE: 0.03}
BLOCK_TOKENS = 16
WAYS = ("other seeds", "other burstiness", "other lengths")


@dataclass(frozen=True)
class Measured:
    """A measured cell."""

    folder: Path
    record: CellRecord

    @cached_property
    def requests(self) -> pa.Table:
        return pq.read_table(self.folder / "requests.parquet")

    @cached_property
    def rebuilt(self) -> Rebuilt:
        return rebuild(self.requests, pq.read_table(self.folder / "iterations.parquet"))

    @property
    def name(self) -> str:
        cell = self.record.cell
        return f"{cell.model} {cell.workload} b={cell.arrivals.burstiness} seed={cell.seed}"


def split(way: str, cells: list[Measured]) -> Iterator[tuple[list[Measured], list[Measured]]]:
    """Cells of one model to fit, and those to predict with that."""
    for workload in sorted({cell.record.cell.workload for cell in cells}):
        same = [cell for cell in cells if cell.record.cell.workload == workload]
        chosen: Callable[[Measured], bool]
        if way == "other lengths":
            yield [cell for cell in cells if cell.record.cell.workload != workload], same
            continue
        if way == "other seeds":
            chosen = lambda cell: cell.record.cell.seed < 2  # noqa: E731
        else:
            chosen = lambda cell: cell.record.cell.arrivals.burstiness == 1.0  # noqa: E731
        yield [cell for cell in same if chosen(cell)], [cell for cell in same if not chosen(cell)]


def predict(cell: Measured, costs: FittedCosts, delays: Delays) -> dict[str, float]:
    """Errors of the metrics of a cell."""
    reported = cell.record.engine_reported
    policy = VllmV1(int(reported["argument_max_batched_tokens"]), int(reported["argument_max_sequences"]))
    memory = Paged(int(reported["kv_cache_tokens"]) // BLOCK_TOKENS, BLOCK_TOKENS)
    columns = [
        cell.requests[name].to_numpy() for name in ("planned_send_s", "prompt_tokens", "output_tokens")
    ]
    run = simulate(requests(*columns), policy, memory, costs, delays)
    simulated = compute_summary(requests_table(run), iterations_table(run), run.end_ps / PS_PER_S)
    measured = cell.record.summary
    errors = {name: number(simulated[name]) / number(measured[name]) - 1 for name in METRICS}
    return errors | {SHARE: number(simulated[SHARE]) - number(measured[SHARE])}


def own_speed(known: Fit, cell: Measured) -> float:
    """Durations of the cell's own iterations, all together, over what the fit says."""
    batches = cell.rebuilt.batches
    return float(durations_ms(batches).sum() / (matrix(batches) @ known.coefficients_ms).sum())


def number(value: float | None) -> float:
    """The value, which a cell that served requests has."""
    assert value is not None
    return value


def main() -> None:
    """Print the errors."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cells", type=Path, default=Path("collections/default/cells"))
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--costs", action="store_true")
    arguments = parser.parse_args()
    found = [Measured(path.parent, read_record(path)) for path in sorted(arguments.cells.rglob("cell.json"))]
    cells = [
        cell
        for cell in found
        if cell.record.evidence == "measured"
        and not cell.record.failed_gates
        and np.isfinite(cell.record.cell.rate)
    ]
    models = sorted({cell.record.cell.model for cell in cells})
    if arguments.costs:
        for model in models:
            show_costs(model, [cell for cell in cells if cell.record.cell.model == model])
        return
    print(
        f"{len(cells)} measured cells; columns: median error, median size, largest, median size at the cell's own speed"
    )
    for way in WAYS:
        for model in models:
            errors, at_speed, speeds = [], [], []
            for known, unknown in split(way, [cell for cell in cells if cell.record.cell.model == model]):
                fitted = fit([batch for cell in known for batch in cell.rebuilt.batches])
                delays = fit_delays([(cell.requests, cell.rebuilt) for cell in known])
                for cell in unknown:
                    errors.append(predict(cell, FittedCosts(fitted), delays))
                    speeds.append(own_speed(fitted, cell))
                    scaled = replace(fitted, coefficients_ms=fitted.coefficients_ms * speeds[-1])
                    at_speed.append(predict(cell, FittedCosts(scaled), delays))
                    if arguments.each:
                        print(
                            cell.name, " ".join(f"{name}={error:+.3f}" for name, error in errors[-1].items())
                        )
            low, high = np.percentile(speeds, [10, 90])
            print(
                f"\n{model}, {way}: {len(errors)} cells; their durations were {low:.2f} to {high:.2f} of the fitted"
            )
            for name in (*METRICS, SHARE):
                show(
                    name,
                    np.array([error[name] for error in errors]),
                    np.array([error[name] for error in at_speed]),
                )


def show_costs(model: str, cells: list[Measured]) -> None:
    """Coefficients, delays, residuals, and errors of cells that were left out."""
    fitted = fit([batch for cell in cells for batch in cell.rebuilt.batches])
    print(f"\n{model}: fitted to {len(fitted.residuals):,} iterations of {len(cells)} cells")
    for term, each_ms in zip(TERMS, fitted.coefficients_ms, strict=True):
        print(f"  {term.name:16s} {each_ms:10.5f} ms a {term.unit:14s}  {term.meaning}")
    print(f"  {fit_delays([(cell.requests, cell.rebuilt) for cell in cells])}")
    low, median, high = np.percentile(fitted.residuals, [5, 50, 95])
    print(f"  residuals: 5th percentile {low:+.1%}, median {median:+.1%}, 95th {high:+.1%}")
    held_out = cross_validate([(cell.name, cell.rebuilt.batches) for cell in cells])
    sums = np.abs([error.of_sum for error in held_out])
    typical = np.median([error.typical for error in held_out])
    print(
        f"  left out: sum of durations off by {np.median(sums):.1%} in the median and {sums.max():.1%} at most;",
        end=" ",
    )
    print(f"a single iteration typically by {typical:.1%}")


def show(name: str, errors: np.ndarray, at_speed: np.ndarray) -> None:
    """A line of the table."""
    sizes = np.abs(errors)
    target = TARGETS.get(name)
    hit = "" if target is None else f"  {np.mean(sizes <= target):4.0%} of cells within {target:.0%}"
    own = np.median(np.abs(at_speed))
    print(
        f"  {name:24s} {np.median(errors):+7.1%} {np.median(sizes):6.1%} {sizes.max():6.1%} {own:6.1%}{hit}"
    )


if __name__ == "__main__":
    main()
