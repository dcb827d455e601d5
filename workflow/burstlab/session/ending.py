"""What a run of the workflow says last: where the report is, or what to read and how to go on."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from burstlab.collections.places import CELLS
from burstlab.records.status import Verdict
from burstlab.session.campaign import Campaign
from burstlab.study.cells import Cell, Session
from burstlab.wording import count

_LOGS_SHOWN = 5


def success_line(page: Path, targets: Sequence[str]) -> str:
    """The full path of the report if it was asked for, and how many cells do not count, those of collections
    apart; else nothing."""
    asked_for = not targets or bool({"all", "report_page", str(page)} & set(targets))
    if not asked_for or not page.is_file():
        return ""
    return _excluded(page.with_name("tables") / "cells.csv") + f"The report: {page.resolve()}"


def _excluded(table: Path) -> str:
    if not table.is_file():
        return ""
    own: list[bool] = []
    others: list[bool] = []
    with table.open(newline="") as rows:
        for row in csv.DictReader(rows):
            record = table.parents[1] / CELLS / row["cell"] / "cell.json"
            (own if record.is_file() else others).append(row["counted"] == "true")
    said = [
        f"{excluded} of {count(len(some), 'cell')} {whose}"
        for whose, some in (("run here", own), ("of collections", others))
        if (excluded := some.count(False))
    ]
    if not said:
        return ""
    one = [*own, *others].count(False) == 1
    return f"{' and '.join(said)} {'does' if one else 'do'} not count: the report says why\n"


def failure_text(campaigns: Sequence[Campaign], started_s: float = 0.0) -> str:
    """That finished cells are kept, and the logs of sessions that began and did not measure all they had to.

    A log that was last written before `started_s`, the time of the run's start, is another run's and says nothing of this one.
    """
    lines = ["The run did not finish. What was measured is kept; run the same command again to continue."]
    unfinished = [
        log
        for campaign in campaigns
        for session in campaign.plan
        if (log := _unfinished(session, campaign.status, Path(campaign.logs))) is not None
        and log.stat().st_mtime >= started_s
    ]
    if unfinished:
        lines += [
            "Of sessions that are not finished, these logs say why, beside each the engine's own engine.log:"
        ]
        lines += [f"  {log}" for log in unfinished[:_LOGS_SHOWN]]
    if len(unfinished) > _LOGS_SHOWN:
        lines.append(f"  and {len(unfinished) - _LOGS_SHOWN} more")
    return "\n".join(lines)


def _unfinished(session: Session, status: Mapping[Cell, Verdict], logs: Path) -> Path | None:
    folder = logs / session.id
    wanted = {cell.id for cell in session.cells if status[cell].state != "valid"}
    if not wanted or not (folder / "session.log").is_file():
        return None
    try:
        measured = set(json.loads((folder / "session.json").read_text())["measured"])
    except (OSError, ValueError, KeyError):
        measured = set()
    return None if wanted <= measured else folder / "session.log"
