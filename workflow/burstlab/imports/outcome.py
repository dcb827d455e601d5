"""What an import took over and what it refused."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Outcome:
    """Identities of imported `cells` and profiled `runs`; why each other file or cell was `refused`; `notes` for the importer."""

    cells: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
