"""Which cells are measured as asked for, which are missing, which are stale: there, but not as asked for."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from burstlab.errors import BurstlabError
from burstlab.records import index as cell_index
from burstlab.records.cell_record import RECORD, check_folder
from burstlab.records.difference import difference
from burstlab.records.fingerprint import Fingerprints
from burstlab.study.cells import Cell
from burstlab.study.unseen import as_recorded, same_measurement


@dataclass(frozen=True, slots=True)
class Verdict:
    """`state` of a cell, and the `reason` if it is not valid."""

    state: Literal["valid", "missing", "stale"]
    reason: str = ""


VALID = Verdict("valid")
MISSING = Verdict("missing", "was not measured yet")


def status(
    cells: Sequence[Cell], specifications: Mapping[Cell, dict[str, Any]], results: Path, index: Path
) -> dict[Cell, Verdict]:
    """The verdict on each cell; `specifications` has what is asked of each, `results` the folder `cells`.

    A cell is valid if its record is whole and its own, names the hash of the specification asked for, and
    its files have the recorded sizes and hashes. `index` is a file that makes the next call fast (see
    `index`); it may be missing.
    """
    known = cell_index.load(index)
    fingerprints = Fingerprints()
    checked_ns = time.time_ns()
    fresh: dict[str, str] = {}
    verdicts: dict[Cell, Verdict] = {}
    root = f"{results}/cells/"
    for cell in cells:
        name = cell.id
        found = cell_index.signature(root + name)
        if found is None:
            verdicts[cell] = MISSING
            continue
        entry = f"{fingerprints.of(specifications[cell])} {found}"
        if known.get(name) == entry:
            verdicts[cell] = VALID
            continue
        verdicts[cell] = judge(cell, specifications[cell], results)
        if verdicts[cell] is VALID and cell_index.is_settled(found, checked_ns):
            fresh[name] = entry
    if fresh:
        cell_index.save(index, _present(known, results) | fresh)
    return verdicts


def judge(cell: Cell, specification: dict[str, Any], results: Path) -> Verdict:
    """The verdict on one cell, from reading all of its files."""
    folder = results / "cells" / cell.id
    if not (folder / RECORD).exists():
        return MISSING
    try:
        record = check_folder(folder, cell)
    except BurstlabError as error:
        return Verdict("stale", str(error).replace(f"{folder}/", ""))
    if same_measurement(specification, record.specification):
        return VALID
    changes = difference(record.specification, as_recorded(specification, record.specification))
    return Verdict("stale", f"specification changed: {changes or 'not its content, but how it is hashed'}")


def _present(entries: Mapping[str, str], results: Path) -> dict[str, str]:
    """Entries whose cell is still there: other configurations share the index, retired cells leave it."""
    return {name: entry for name, entry in entries.items() if (results / "cells" / name / RECORD).exists()}
