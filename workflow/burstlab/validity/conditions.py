"""Under what a cell's engine ran, as far as its record tells: what the gates of a comparison hold against each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from burstlab.records.schema import CellRecord
from burstlab.validity.evidence import asked_for, has_gpu

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Conditions:
    """Limits are tokens and requests in an iteration. None where nobody knows, as of imported cells."""

    platform: str
    on_gpu: bool | None
    vllm_version: str | None
    cudagraph_mode: str | None
    max_batched_tokens: int | None
    max_sequences: int | None

    @classmethod
    def of(cls, record: CellRecord) -> Conditions:
        """Those of a cell's record: what the engine said that it used; of a limit that it did not name, what was asked for."""
        reported = record.engine_reported
        return cls(
            platform=record.cell.platform,
            on_gpu=has_gpu(record.specification),
            vllm_version=reported.get("version") or record.versions.get("vllm"),
            cudagraph_mode=reported.get("cudagraph_mode"),
            max_batched_tokens=_limit(record, "max_batched_tokens"),
            max_sequences=_limit(record, "max_sequences"),
        )

    @classmethod
    def of_row(cls, row: Mapping[Any, Any]) -> Conditions:
        """Those in a row of the cells table; a column that an older table lacks is unknown."""
        known = {name: _known(row.get(name)) for name in COLUMNS}
        return cls(
            platform=str(row["platform"]),
            on_gpu=None if known["on_gpu"] is None else bool(known["on_gpu"]),
            vllm_version=known["vllm_version"],
            cudagraph_mode=known["cudagraph_mode"],
            max_batched_tokens=_whole(known["max_batched_tokens"]),
            max_sequences=_whole(known["max_sequences"]),
        )

    def columns(self) -> dict[str, Any]:
        """What the cells table says of them, in `COLUMNS`."""
        values = asdict(self)
        return {name: values[name] for name in COLUMNS}


def distinct(cells: pd.DataFrame) -> tuple[Conditions, ...]:
    """Those of the given rows of the cells table, each once."""
    # Without data frames in between, which take fifty times as long for the few rows of a group.
    names = ("platform", *COLUMNS)
    columns = [cells[name].tolist() if name in cells else [None] * len(cells) for name in names]
    rows = dict.fromkeys(tuple(map(_known, values)) for values in zip(*columns, strict=True))
    return tuple(Conditions.of_row(dict(zip(names, row, strict=True))) for row in rows)


COLUMNS = ("on_gpu", "vllm_version", "cudagraph_mode", "max_batched_tokens", "max_sequences")


def _limit(record: CellRecord, key: str) -> int | None:
    reported = record.engine_reported
    said = (
        reported.get(key) or reported.get(f"argument_{key}") or asked_for(record.specification, "engine", key)
    )
    return None if said is None else int(said)


def _known(value: Any) -> Any:
    """A value of a data frame, whose gaps are NaN in columns of numbers."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)
