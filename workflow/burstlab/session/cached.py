"""Cached mode: nothing is measured, so every cell has to be there already."""

from __future__ import annotations

from collections.abc import Mapping

from burstlab.errors import BurstlabError
from burstlab.records.status import Verdict
from burstlab.study.cells import Cell

SHOWN = 10


def require_all(status: Mapping[Cell, Verdict], results: str) -> None:
    """Raise BurstlabError if a cell is missing or stale, naming the first ten; Snakemake would leave them out."""
    faulty = [(cell, verdict) for cell, verdict in status.items() if verdict.state != "valid"]
    if not faulty:
        return
    lines = [f"  {cell.id}: {verdict.reason}" for cell, verdict in faulty[:SHOWN]]
    if len(faulty) > SHOWN:
        lines.append(f"  and {len(faulty) - SHOWN} more")
    count = f"{len(faulty)} of {len(status)} cells are"
    raise BurstlabError(
        f"mode: cached measures nothing, but {count} not in {results}/cells as they are asked for:\n"
        + "\n".join(lines)
        + "\nmode: measure would measure them"
    )
