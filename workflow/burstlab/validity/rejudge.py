"""Judging recorded cells anew: after a gate was added or its limit changed, nothing has to be measured again."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.records.cell_record import RECORD, read_record, write_content
from burstlab.records.schema import Gate
from burstlab.validity.judge import judge_cell


@dataclass
class Rejudged:
    """What came of it: failed gates by cell, gates without evidence by number of cells, cells recorded otherwise.

    `excluded` has the folders of cells that fail a gate, `damaged` says of each record or table that cannot be read why.
    """

    cells: int = 0
    failed: list[tuple[str, Gate]] = field(default_factory=list)
    not_judged: Counter[str] = field(default_factory=Counter)
    otherwise: list[str] = field(default_factory=list)
    excluded: list[Path] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def rejudge(folder: Path, *, write: bool) -> Rejudged:
    """Judge every cell below `folder`; with `write`, records get the new verdicts, and nothing else in them changes.

    Raises BurstlabError when there is no cell.
    """
    found = Rejudged()
    for path in sorted(folder.rglob(RECORD)):
        try:
            record, gates = read_record(path), judge_cell(path.parent)
        except BurstlabError as error:
            found.damaged.append(str(error))
            continue
        name = record.cell.cell().id
        found.cells += 1
        failed = [(name, gate) for gate in gates if gate.state == "failed"]
        found.failed += failed
        found.excluded += [path.parent] if failed else []
        found.not_judged.update(gate.name for gate in gates if gate.state == "not judged")
        if gates != record.gates:
            found.otherwise.append(name)
            if write:
                _rewrite(path, gates)
    if not found.cells and not found.damaged:
        raise BurstlabError(f"{folder}: there is no cell in it")
    return found


def _rewrite(path: Path, gates: tuple[Gate, ...]) -> None:
    content = json.loads(path.read_bytes())
    write_content(path, {**content, "gates": [gate.model_dump(mode="json") for gate in gates]})
