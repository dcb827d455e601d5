"""What a cell's record, `cell.json`, may say; `workflow/schemas/cell.schema.json` is made from it.

Run this module to write that file anew:
`PYTHONPATH=workflow python -m burstlab.records.schema > workflow/schemas/cell.schema.json`.
"""

from __future__ import annotations

import json
import math
import sys
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    model_validator,
)

from burstlab.records.observed import Observed
from burstlab.study import values
from burstlab.study.cells import Arrivals, Cell

FORMAT = 1


def _from_json(value: object) -> object:
    return math.inf if value == "inf" else value


def _to_json(value: float) -> float | str:
    return "inf" if math.isinf(value) else value


_MAYBE_INFINITE = {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"const": "inf"}]}
# JSON has no infinity; a rate of "inf" sends all requests at once.
MaybeInfinite = Annotated[
    float,
    BeforeValidator(_from_json),
    Field(gt=0),
    PlainSerializer(_to_json),
    WithJsonSchema(_MAYBE_INFINITE),
]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Number = Annotated[float, Field(allow_inf_nan=False)]
Name = Annotated[str, AfterValidator(values.name)]
Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]


class Part(BaseModel):
    """Base of the parts of a record: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class RecordedArrivals(Part):
    """How requests arrived: `burstiness` for gamma gaps, `trace` for a replay."""

    kind: Literal["gamma", "trace"]
    burstiness: MaybeInfinite | None
    trace: Name | None

    @model_validator(mode="after")
    def _of_one_kind(self) -> RecordedArrivals:
        if (self.burstiness is None) is (self.kind == "gamma") or (self.trace is None) is (
            self.kind == "trace"
        ):
            raise ValueError("gamma arrivals have a burstiness and no trace, those of a trace the reverse")
        return self


class Identity(Part):
    """Which cell it is; `cv` is that of the gaps as planned, null for a trace."""

    platform: Name
    model: Name
    engine: Name
    workload: Name
    rate: MaybeInfinite
    arrivals: RecordedArrivals
    cv: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None
    seed: Annotated[int, Field(ge=0, le=values.LARGEST_SEED)]

    @classmethod
    def of(cls, cell: Cell) -> Identity:
        """The identity of `cell`."""
        arrivals = RecordedArrivals(
            kind="gamma" if cell.arrivals.trace is None else "trace",
            burstiness=cell.arrivals.burstiness,
            trace=cell.arrivals.trace,
        )
        return cls(
            platform=cell.platform,
            model=cell.model,
            engine=cell.engine,
            workload=cell.workload,
            rate=float(cell.rate),
            arrivals=arrivals,
            cv=cell.arrivals.cv,
            seed=cell.seed,
        )

    def cell(self) -> Cell:
        """The cell."""
        arrivals = Arrivals(self.arrivals.kind, self.arrivals.burstiness, self.arrivals.trace)
        return Cell(self.platform, self.model, self.engine, self.workload, self.rate, arrivals, self.seed)


class FileEntry(Part):
    """A file beside the record."""

    bytes: Annotated[int, Field(ge=0)]
    sha256: Sha256


class Gate(Part):
    """One condition for a cell to count, and how it came out.

    `passed` is null where there is no verdict: the condition does not apply to the cell (`applies` is false), or the evidence
    that it needs is missing, which is not a pass. `value` was compared with `limit`, both in the unit that the message names.
    """

    name: Annotated[str, Field(pattern="^[a-z0-9-]+$")]
    passed: bool | None
    message: str = ""
    applies: bool = True
    value: Number | None = None
    limit: Number | None = None

    @property
    def state(self) -> Literal["passed", "failed", "not judged", "not applicable"]:
        """The outcome in words."""
        if self.passed is not None:
            return "passed" if self.passed else "failed"
        return "not judged" if self.applies else "not applicable"


class LogLines(Part):
    """Lines of the iteration log that made no row (`iterations.log.IterationLog`)."""

    unparsed: Annotated[int, Field(ge=0)] = 0
    dummy: Annotated[int, Field(ge=0)] = 0
    idle: Annotated[int, Field(ge=0)] = 0


class Imported(Part):
    """Where a cell that burstlab did not measure came from, and what is not known of it."""

    file: str
    sha256: Sha256
    log: str | None
    log_sha256: Sha256 | None
    seed: Literal["given", "found"]
    planned_send: Literal["rebuilt", "unknown"]
    unknown: tuple[str, ...] = Field(strict=False)


class CollectedFrom(Part):
    """What the record of a collection's cell was before its platform was named after the machine."""

    platform: str
    specification_sha256: Sha256
    record_sha256: Sha256


class Simulation(Part):
    """What a simulated cell rests on.

    `constants` are the costs' by name with their unit, such as `h200.hbm (GB/s)`; nobody measured those that are `assumed`.
    `constants_sha256` is of them and of the model's shape. `kv_tokens` is how many tokens memory was taken to hold.
    """

    costs: Literal["roofline"]
    protocol: Annotated[int, Field(ge=1)]
    constants_sha256: Sha256
    constants: dict[str, Number]
    assumed: tuple[str, ...] = Field(strict=False)
    kv_tokens: Annotated[int, Field(ge=0)]


class CellRecord(Part):
    """A whole record. `times` and `summary` have units in their keys; a metric that is undefined is null."""

    format: Literal[1]
    cell: Identity
    evidence: Literal["measured", "simulated", "published"]
    specification: dict[str, Any]
    specification_sha256: Sha256
    versions: dict[str, str | None]
    hardware: dict[str, Any]
    commands: dict[str, list[str]]
    engine_reported: dict[str, Any]
    log_lines: LogLines
    gates: tuple[Gate, ...] = Field(strict=False)
    times: dict[str, str | Number]
    summary: dict[str, Whole | Number | None]
    files: dict[str, FileEntry]
    imported: Imported | None = None
    observed: Observed | None = None
    collected_from: CollectedFrom | None = None
    simulation: Simulation | None = None
    record_sha256: Sha256 = Field(
        description="SHA-256 of the other keys as JSON with sorted keys and no white space."
    )

    @model_validator(mode="after")
    def _says_how_it_was_simulated(self) -> CellRecord:
        if (self.evidence == "simulated") is not (self.simulation is not None):
            raise ValueError("a simulated cell, and no other, has a simulation")
        return self

    @property
    def failed_gates(self) -> tuple[str, ...]:
        """Names of the gates that the cell failed: it is excluded if there is one."""
        return tuple(gate.name for gate in self.gates if gate.state == "failed")

    @property
    def unjudged_gates(self) -> tuple[str, ...]:
        """Names of the gates that had no evidence."""
        return tuple(gate.name for gate in self.gates if gate.state == "not judged")


def schema_text() -> str:
    """The JSON schema of `cell.json`, as `workflow/schemas/cell.schema.json` has it."""
    return json.dumps(CellRecord.model_json_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
