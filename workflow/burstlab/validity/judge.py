"""The verdicts of all gates on a cell: at the end of a measurement, and again at any time from its folder."""

from pathlib import Path

import pyarrow as pa

from burstlab.bench.requests_table import SCHEMA as REQUESTS_SCHEMA
from burstlab.errors import BurstlabError
from burstlab.iterations.log import SCHEMA as ITERATIONS_SCHEMA
from burstlab.records.cell_record import ITERATIONS, MEASURED, RECORD, REQUESTS, read_record
from burstlab.records.parquet import read_parquet
from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import not_applicable
from burstlab.validity.registry import GATES


def judge(evidence: Evidence) -> tuple[Gate, ...]:
    """A verdict of each of `GATES`, in their order."""
    return tuple(_one(gate, evidence) for gate in GATES)


def _one(gate: ValidityGate, evidence: Evidence) -> Gate:
    if gate.measured_only and evidence.evidence != MEASURED:
        return not_applicable(gate.name, f"the cell is {evidence.evidence}")
    return gate.judge(evidence)


def judge_cell(folder: Path) -> tuple[Gate, ...]:
    """The verdicts on the cell in `folder`, from its record's evidence and tables, whatever verdicts the record has.

    Raises BurstlabError when the record or a table cannot be read.
    """
    return judge(evidence_in(folder))


def evidence_in(folder: Path) -> Evidence:
    """What the cell in `folder` has for gates to look at."""
    return Evidence.of(
        read_record(folder / RECORD),
        _table(folder / REQUESTS, REQUESTS_SCHEMA),
        _table(folder / ITERATIONS, ITERATIONS_SCHEMA),
    )


def _table(path: Path, schema: pa.Schema) -> pa.Table:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
    return read_parquet(data, schema, path)
