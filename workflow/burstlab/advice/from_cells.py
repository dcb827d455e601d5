"""An engine whose costs are fitted to measured cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from burstlab.advice.engines import FittedEngine
from burstlab.advice.lengths import Lengths, of_rows
from burstlab.errors import BurstlabError
from burstlab.records.cell_record import ITERATIONS, KERNELS, RECORD, REQUESTS, read_record
from burstlab.records.schema import CellRecord
from burstlab.simulator.costs.fitted.batches import Batch
from burstlab.simulator.costs.fitted.delays import fit_delays
from burstlab.simulator.costs.fitted.fit import fit
from burstlab.simulator.costs.fitted.from_iterations import Rebuilt, rebuild
from burstlab.simulator.costs.fitted.validation import cross_validate
from burstlab.simulator.scheduling.vllm_v1 import VllmV1

MOST_CELLS = 12
"""More hardly change a fit, and take seconds to read."""
_FOLDS = 4
_ELSEWHERE = frozenset({"profiles", "retired"})
_LIMITS = ("kv_cache_tokens", "argument_max_batched_tokens", "argument_max_sequences")


@dataclass(frozen=True)
class Measured:
    """A measured cell and its tables."""

    folder: Path
    record: CellRecord

    @property
    def engine(self) -> tuple[str, str, str]:
        """Platform, model and engine."""
        cell = self.record.cell
        return cell.platform, cell.model, cell.engine

    @cached_property
    def requests(self) -> pa.Table:
        """Of all requests."""
        return pq.read_table(self.folder / REQUESTS)

    @cached_property
    def rebuilt(self) -> Rebuilt:
        """Its batches."""
        return rebuild(self.requests, pq.read_table(self.folder / ITERATIONS))


def measured_cells(folder: Path, wanted: tuple[str | None, str | None, str | None]) -> list[Measured]:
    """Measured, counted cells below `folder` at a finite rate, of one platform, model and engine; `wanted` narrows these.

    BurstlabError that lists what there is where none or several are left.
    """
    if not folder.is_dir():
        raise BurstlabError(
            f"--cells {folder}: is no folder; one with measured cells was expected, such as results/cells"
        )
    found = [Measured(path.parent, read_record(path)) for path in _records(folder)]
    usable = [
        cell
        for cell in found
        if cell.record.evidence == "measured"
        and KERNELS not in cell.record.files  # recording slows a run down
        and not cell.record.failed_gates
        and math.isfinite(cell.record.cell.rate)
    ]
    chosen = [
        cell
        for cell in usable
        if all(name in (None, part) for name, part in zip(wanted, cell.engine, strict=True))
    ]
    engines = sorted({cell.engine for cell in chosen})
    if len(engines) == 1:
        return chosen
    there = engines or sorted({cell.engine for cell in usable})
    listed = "; ".join(
        f"--platform {platform} --model {model} --engine {engine}" for platform, model, engine in there
    )
    if not engines:
        raise BurstlabError(
            f"--cells {folder}: none of its {len(found)} cells is measured, not profiled, counted, at a finite rate and of what "
            "is asked for. "
            f"There are: {listed or 'none'}"
        )
    raise BurstlabError(f"--cells {folder}: has cells of several engines; choose one: {listed}")


def _records(folder: Path) -> list[Path]:
    """The records below a folder, but for those of profiled runs and of cells that were measured anew since."""
    found = sorted(folder.rglob(RECORD))
    return [path for path in found if _ELSEWHERE.isdisjoint(path.relative_to(folder).parts)]


def fitted_engine(cells: Sequence[Measured]) -> FittedEngine:
    """Fitted to at most `MOST_CELLS` of the cells, spread evenly; BurstlabError if they tell too little."""
    step = max(1, math.ceil(len(cells) / MOST_CELLS))
    used = cells[::step]
    batches = [batch for cell in used for batch in cell.rebuilt.batches]
    tokens, batched, sequences = (_reported(used[0], name) for name in _LIMITS)
    folds = [_fold(used[start::_FOLDS]) for start in range(_FOLDS)]
    parts = [(str(number), fold) for number, fold in enumerate(folds) if fold]
    errors = cross_validate(parts) if len(parts) > 1 else []
    platform, model, engine = used[0].engine
    return FittedEngine(
        name=f"{model} on {platform}, engine {engine}",
        fit=fit(batches),
        delays=fit_delays([(cell.requests, cell.rebuilt) for cell in used]),
        policy=VllmV1(batched, sequences, _chunked(used[0])),
        kv_tokens=tokens,
        cells=len(used),
        largest_batch=max(batch.decodes for batch in batches),
        sum_error=max((abs(error.of_sum) for error in errors), default=math.nan),
        typical_error=float(sum(error.typical for error in errors) / len(errors)) if errors else math.nan,
    )


def lengths_of(cells: Sequence[Measured], workload: str | None = None) -> Lengths:
    """The lengths that were measured of a workload; BurstlabError if it is not there, or not named and one of several."""
    workloads = sorted({cell.record.cell.workload for cell in cells})
    if workload not in workloads and (workload is not None or len(workloads) > 1):
        said = "--lengths: not given" if workload is None else f"--workload {workload}: not among the cells"
        raise BurstlabError(
            f"{said}; choose lengths, or those of one of the cells' workloads: {', '.join(workloads)}"
        )
    name = workload or workloads[0]
    rows = pa.concat_tables(
        cell.requests.select(["prompt_tokens", "output_tokens"])
        for cell in cells
        if cell.record.cell.workload == name
    )
    prompts, outputs = (rows[column].to_numpy() for column in rows.column_names)
    served = outputs > 0
    return of_rows(f"lengths drawn from the requests of {name}", prompts[served], outputs[served])


def _fold(cells: Sequence[Measured]) -> list[Batch]:
    return [batch for cell in cells for batch in cell.rebuilt.batches]


def _reported(cell: Measured, name: str) -> int:
    value = cell.record.engine_reported.get(name)
    if value is None:
        raise BurstlabError(
            f"{cell.folder / RECORD}: engine_reported has no {name}, which a simulation needs"
        )
    return int(value)


def _chunked(cell: Measured) -> bool:
    return bool(cell.record.specification.get("engine", {}).get("chunked_prefill", True))
