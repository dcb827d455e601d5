"""What each job of the workflow runs, on the study in a folder."""

from __future__ import annotations

import os
from pathlib import Path

from made_up_study import ROOT


def make_tables(folder: Path, config: Path) -> None:
    """The study tables."""
    import yaml

    from burstlab.study.expand import cells
    from burstlab.study.load import read_study
    from burstlab.tables.job import tables_from_workflow

    os.chdir(folder)
    records = [Path("results/cells", cell.id, "cell.json") for cell in cells(read_study(config))]
    content = yaml.safe_load(config.read_text())
    tables_from_workflow(content, records, [], Path("results/tables"), Path("tables.log"))


def make_verdicts(folder: Path, _config: Path) -> None:
    """The tables of verdicts and checks."""
    from burstlab.claims.judge import write_verdicts

    write_verdicts(folder / "results/tables")


def draw_figures(folder: Path, config: Path, kind: str) -> None:
    """One kind of figure for every group."""
    from burstlab.figures.write import write_figures

    results = folder / "results"
    write_figures(kind, results / "tables", _groups(config), results / "figures" / kind)


def write_page(folder: Path, config: Path) -> None:
    """The report."""
    from burstlab.report.page import write_report

    results = folder / "results"
    write_report("made-up", results, _groups(config), ROOT / "report", results / "report.html")


def _groups(config: Path) -> list[tuple[str, str, str, str]]:
    from burstlab.figures.targets import groups_of
    from burstlab.study.expand import cells
    from burstlab.study.load import read_study

    return groups_of(cells(read_study(config)))
