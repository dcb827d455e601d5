"""Which cells of a study are packed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from burstlab.errors import BurstlabError
from burstlab.records.cell_record import RECORD, read_record
from burstlab.records.schema import CellRecord
from burstlab.records.status import judge
from burstlab.study.cells import Cell
from burstlab.study.expand import cells
from burstlab.study.schema import Study
from burstlab.study.specification import specification


@dataclass(frozen=True)
class Selection:
    """Valid cells with their records, in order of their identities, and why each other one is left out."""

    records: Mapping[str, CellRecord]
    left_out: Mapping[str, str]


def select(study: Study, results: Path, pattern: str | None, *, may_be_empty: bool = False) -> Selection:
    """The cells of `study` that match `pattern`, whole or by their first folders; None selects all.

    Every file of each is checked against its record. Raises BurstlabError when no cell matches, or none of
    those is measured as the study asks for, unless it `may_be_empty`.
    """
    matching = [cell for cell in cells(study) if pattern is None or matches(cell, pattern)]
    if not matching and not may_be_empty:
        raise BurstlabError(
            f"--cells {pattern}: no cell of the study matches; `burstlab cells --config FILE` lists them"
        )
    records: dict[str, CellRecord] = {}
    left_out: dict[str, str] = {}
    for cell in sorted(matching, key=lambda one: one.id):
        verdict = judge(cell, specification(cell, study), results)
        if verdict.state == "valid":
            records[cell.id] = read_record(results / "cells" / cell.id / RECORD)
        else:
            left_out[cell.id] = verdict.reason
    if not records and not may_be_empty:
        name, reason = next(iter(left_out.items()))
        raise BurstlabError(f"none of the {len(left_out)} cells can be packed; {name}: {reason}")
    return Selection(records, left_out)


def matches(cell: Cell, pattern: str) -> bool:
    """Whether `pattern`, in which * stands for anything, is the cell's identity or its first folders."""
    pattern = pattern.rstrip("/")
    return fnmatchcase(cell.id, pattern) or fnmatchcase(cell.id, f"{pattern}/*")


def describe(selection: Selection) -> dict[str, Any]:
    """How many cells there are of each kind of evidence, and how many are left out."""
    evidence: dict[str, int] = {}
    for record in selection.records.values():
        evidence[record.evidence] = evidence.get(record.evidence, 0) + 1
    return {"evidence": dict(sorted(evidence.items())), "left_out": len(selection.left_out)}
