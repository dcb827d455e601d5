"""The last words of a run."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from burstlab.records.status import MISSING, VALID
from burstlab.session.campaign import Campaign
from burstlab.session.ending import failure_text, success_line
from burstlab.study.cells import Arrivals, Cell, Session

CELLS = tuple(Cell("cpu", "m", "eager", "short", 6.0, Arrivals.gamma(0.5), seed) for seed in range(2))
SESSION = Session("cpu", "m", "eager", 0, CELLS)


def test_the_report_is_named_with_its_full_path_where_it_was_asked_for(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert success_line(page, []) == ""
    page.touch()
    assert success_line(page, []) == success_line(page, ["all"]) == f"The report: {page}"
    assert success_line(page, ["models"]) == ""


def test_cells_that_do_not_count_are_told_at_the_end(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.touch()
    (tmp_path / "tables").mkdir()
    table = tmp_path / "tables/cells.csv"
    table.write_text('"cell","counted"\n"a",true\n"b",false\n')
    for cell in "ab":
        (tmp_path / "cells" / cell).mkdir(parents=True)
        (tmp_path / "cells" / cell / "cell.json").touch()
    assert (
        success_line(page, []).splitlines()[0] == "1 of 2 cells run here does not count: the report says why"
    )
    table.write_text('"cell","counted"\n"a",false\n"b",false\n"c",false\n"d",true\n')
    assert success_line(page, []).splitlines()[0] == (
        "2 of 2 cells run here and 1 of 2 cells of collections do not count: the report says why"
    )
    table.write_text('"cell","counted"\n"a",true\n')
    assert success_line(page, []) == f"The report: {page}"


def text(logs: Path, started_s: float = 0.0) -> str:
    campaign = SimpleNamespace(plan=[SESSION], status={CELLS[0]: VALID, CELLS[1]: MISSING}, logs=str(logs))
    return failure_text([cast("Campaign", campaign)], started_s)


def test_the_logs_of_sessions_that_did_not_finish_are_named(tmp_path: Path) -> None:
    assert "session.log" not in text(tmp_path)  # it never began
    folder = tmp_path / SESSION.id
    folder.mkdir(parents=True)
    (folder / "session.log").touch()
    assert str(folder / "session.log") in text(tmp_path)
    (folder / "session.json").write_text(json.dumps({"measured": []}))
    assert str(folder / "session.log") in text(tmp_path)
    (folder / "session.json").write_text(json.dumps({"measured": [CELLS[1].id]}))
    assert "session.log" not in text(tmp_path)


def test_a_log_of_a_run_before_is_not_named(tmp_path: Path) -> None:
    log = tmp_path / SESSION.id / "session.log"
    log.parent.mkdir(parents=True)
    log.touch()
    os.utime(log, (100.0, 100.0))
    assert str(log) in text(tmp_path, started_s=100.0)
    assert "session.log" not in text(tmp_path, started_s=101.0)


def test_a_failed_run_says_how_to_go_on(tmp_path: Path) -> None:
    assert "run the same command again" in text(tmp_path)
