"""The tables and figures of a collection, made as the workflow makes a study's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from burstlab.claims.judge import write_verdicts
from burstlab.collections.members import CollectedCell, collected_sources
from burstlab.figures.registry import CELL_FIGURES, group_slug
from burstlab.figures.write import write_figures
from burstlab.tables.study_tables import build_tables


def draw(folder: Path, cells: Sequence[CollectedCell]) -> None:
    """Write `tables/` and `figures/` of the `cells` of the collection in `folder`, whose `collection` is "."."""
    build_tables([folder / cell.record for cell in cells], folder / "tables")
    write_verdicts(folder / "tables")
    groups = sorted({cell.group for cell in cells})
    sources = {group_slug(group): source for group, source in collected_sources(cells, folder)}
    for kind in CELL_FIGURES:
        write_figures(kind.name, folder / "tables", groups, folder / "figures" / kind.name, sources)
