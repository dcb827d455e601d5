"""What the manifest of a collection says of its cells, as their records tell it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from burstlab.records.schema import CellRecord


@dataclass
class Facts:
    """The distinct kinds of evidence, versions of programs and machines among some cells."""

    cells: int = 0
    evidence: set[str] = field(default_factory=set)
    versions: dict[str, set[str]] = field(default_factory=dict)
    hardware: list[dict[str, Any]] = field(default_factory=list)


def facts_of(records: Iterable[CellRecord]) -> Facts:
    """The facts of the cells with these records, which are read one after the other."""
    facts = Facts()
    for record in records:
        facts.cells += 1
        facts.evidence.add(record.evidence)
        for program, version in record.versions.items():
            if version is not None:
                facts.versions.setdefault(program, set()).add(version)
        if record.hardware and record.hardware not in facts.hardware:
            facts.hardware.append(record.hardware)
    return facts
