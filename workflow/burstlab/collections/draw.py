"""The tables and figures of a collection, made as the workflow makes a study's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from burstlab.claims.judge import write_verdicts
from burstlab.collections.members import CollectedCell, collected_sources
from burstlab.exact_batches.record import build_table
from burstlab.figures.registry import CELL_FIGURES, PROFILE_FIGURES, group_slug
from burstlab.figures.write import write_figures
from burstlab.profiles.run_tables import build_run_tables
from burstlab.tables.study_tables import build_tables


def draw(
    folder: Path,
    cells: Sequence[CollectedCell],
    runs: Sequence[CollectedCell] = (),
    exact_batches: Sequence[Path] = (),
) -> None:
    """Write `tables/` and `figures/` of the `cells` and profiled `runs` of the collection in `folder`.

    Their `collection` is ".". `exact_batches` are the files with times of such, of which verdicts speak, too.
    """
    tables = folder / "tables"
    build_tables([folder / cell.record for cell in cells], tables)
    if runs:
        build_run_tables([folder / run.record for run in runs], tables)
    if exact_batches:
        build_table(sorted(exact_batches), tables)
    write_verdicts(tables)
    sources = {group_slug(group): source for group, source in collected_sources([*cells, *runs], folder)}
    for kinds, shown in ((CELL_FIGURES, cells), (PROFILE_FIGURES, runs)):
        groups = sorted({one.group for one in shown})
        for kind in kinds if groups else ():
            write_figures(kind.name, tables, groups, folder / "figures" / kind.name, sources)
