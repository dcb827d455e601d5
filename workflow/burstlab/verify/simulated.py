"""One simulated cell: is it what its specification gives when it is simulated again?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from burstlab.arrivals import gamma, trace
from burstlab.bench.requests_table import SCHEMA as REQUESTS_SCHEMA
from burstlab.datasets.sent import sent_lengths
from burstlab.datasets.synthetic_burstgpt import drawn_times_s
from burstlab.errors import BurstlabError
from burstlab.iterations.log import SCHEMA as ITERATIONS_SCHEMA
from burstlab.profiles.schema import ITERATIONS as PROFILED_SCHEMA
from burstlab.profiles.store import read_launches
from burstlab.records.build_simulated import duration_of_s
from burstlab.records.cell_record import (
    ITERATIONS,
    KERNELS,
    PROFILE_FILES,
    PROFILED_ITERATIONS,
    RECORD,
    REQUESTS,
)
from burstlab.records.parquet import read_parquet
from burstlab.records.schema import CellRecord
from burstlab.records.summary import compute_summary
from burstlab.simulator.loop import Run
from burstlab.simulator.noting import Noting
from burstlab.simulator.profile import profile_tables
from burstlab.simulator.requests import requests
from burstlab.simulator.setup import PROFILE_PROTOCOL, PROTOCOL, Setup
from burstlab.simulator.tables import iterations_table, requests_table
from burstlab.study.schema import RANDOM, Dataset, Workload
from burstlab.verify.content import content_of
from burstlab.verify.same import same_number, table_differences

OTHER_COSTS = "simulated tables: this version has other costs than those they were made by"
NOT_DRAWN = "simulated tables: the data set that they draw on is not kept"


def verify_simulated(folder: Path, record: CellRecord, differences: list[str], not_raw: list[str]) -> None:
    """Add to `differences` what a second simulation gives otherwise, to `not_raw` why there is none.

    Raises BurstlabError where a file or the specification cannot be read.
    """
    stored = _stored(folder, record)
    try:
        again = _again(record, not_raw)
    except (KeyError, TypeError, ValueError) as error:
        raise BurstlabError(f"{folder / RECORD}: its specification cannot be simulated: {error}") from error
    if again is None:
        return
    run, costs = again
    derived = {REQUESTS: requests_table(run), ITERATIONS: iterations_table(run)}
    if costs is not None:
        derived |= zip(PROFILE_FILES, profile_tables(run, costs), strict=True)
    for name, table in derived.items():
        key = "request" if name == REQUESTS else "iteration"
        differences += [f"{name}: {one}" for one in table_differences(stored[name], table, key)]
    summary = compute_summary(derived[REQUESTS], derived[ITERATIONS], duration_of_s(run))
    for name, value in summary.items():
        if name in record.summary and not same_number(record.summary[name], value):
            differences.append(
                f"{RECORD}: summary.{name} is {record.summary[name]!r}, simulated again {value!r}"
            )


def _stored(folder: Path, record: CellRecord) -> dict[str, pa.Table]:
    found = {
        REQUESTS: _table(folder, REQUESTS, REQUESTS_SCHEMA, record),
        ITERATIONS: _table(folder, ITERATIONS, ITERATIONS_SCHEMA, record),
    }
    if KERNELS in record.files:
        content_of(folder, KERNELS, record)
        found[KERNELS] = read_launches(folder / KERNELS)
        found[PROFILED_ITERATIONS] = _table(folder, PROFILED_ITERATIONS, PROFILED_SCHEMA, record)
    return found


def _again(record: CellRecord, not_raw: list[str]) -> tuple[Run, Noting | None] | None:
    """The run once more; of a profiled one also the costs, with what they were asked."""
    asked = record.specification["simulator"]
    setup = Setup.of(asked["setup"])
    protocols = (asked["protocol"], asked.get("profile", PROFILE_PROTOCOL))
    if protocols != (PROTOCOL, PROFILE_PROTOCOL) or asked["constants_sha256"] != setup.constants_sha256():
        not_raw.append(OTHER_COSTS)
        return None
    cell = record.cell.cell()
    workload = dict(record.specification["workload"])
    sent = _dataset(workload.pop("dataset"))
    replayed = _dataset(record.specification["arrivals"].get("dataset"))
    if _kept_elsewhere(sent) or _kept_elsewhere(replayed):
        not_raw.append(NOT_DRAWN)
        return None
    keys = (
        workload | {"dataset": RANDOM}
        if sent is None
        else {"requests": workload["requests"], "dataset": "sent"}
    )
    one = Workload.model_validate(keys)
    lengths = sent_lengths(one, sent, None, cell.seed)
    if replayed is None:
        send_s = gamma.planned_send_s(one.requests, cell.rate, cell.arrivals.burstiness or 0.0, cell.seed)
    else:
        send_s = trace.planned_send_s(drawn_times_s(replayed), one.requests, cell.rate, cell.seed)
    costs = Noting(setup.costs()) if KERNELS in record.files else None
    return setup.simulate(requests(send_s, lengths.prompt_tokens, lengths.output_tokens), costs), costs


def _dataset(recipe: Any) -> Dataset | None:
    """The data set of a specification; None for random prompts, and for no trace. One that is a file has no other keys."""
    if recipe is None or recipe["source"] == RANDOM:
        return None
    if "file" in recipe:
        return Dataset.model_validate({"source": recipe["source"], "path": "not kept"})
    return Dataset.model_validate({key: value for key, value in recipe.items() if key != "version"})


def _kept_elsewhere(dataset: Dataset | None) -> bool:
    return dataset is not None and not dataset.synthetic


def _table(folder: Path, name: str, schema: pa.Schema, record: CellRecord) -> pa.Table:
    return read_parquet(content_of(folder, name, record), schema, folder / name)
