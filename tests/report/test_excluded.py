import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from burstlab.errors import BurstlabError
from burstlab.report.excluded import Excluded, Failure, gather
from burstlab.report.page import environment

TEMPLATES = Path(__file__).parents[2] / "report"
LATE = {
    "name": "client-punctual",
    "passed": False,
    "message": "late by 245 ms, limit 20% of `TTFT`",
    "limit": 0.2,
}
LOST = {"name": "requests-succeeded", "passed": False, "message": "1 of 3 requests failed", "limit": 0.0}
FINE = {"name": "steady", "passed": True, "message": "fine, limit 25%", "limit": 0.25}


def row(cell: str, failed_gates: str) -> dict[str, Any]:
    counted = not failed_gates
    return {"cell": cell, "evidence": "measured", "counted": counted, "failed_gates": failed_gates, "requests": 3,
            "failed_requests": 1}  # fmt: skip


def record(folder: Path, cell: str, *gates: dict[str, Any]) -> None:
    path = folder / "cells" / cell / "cell.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"cell": {}, "gates": gates}))


def rendered(excluded: Excluded) -> str:
    source = "{% import 'macros.html.j2' as show %}{% set opened = '' %}{% include 'excluded.html.j2' %}"
    return environment(TEMPLATES).from_string(source).render(excluded=excluded, failed_requests=0)


def test_each_failed_gate_is_there_with_its_figure_and_limit(tmp_path: Path) -> None:
    record(tmp_path, "a", LATE, FINE, LOST)
    found = gather(pd.DataFrame([row("a", "client-punctual,requests-succeeded"), row("b", "")]), tmp_path)
    (only,) = found.rows
    assert found.total == 1
    assert only.failures == (
        Failure("client-punctual", "late by 245 ms, limit 20% of `TTFT`"),
        Failure("requests-succeeded", "1 of 3 requests failed, limit 0"),
    )
    html = rendered(found)
    assert "client-punctual, requests-succeeded" in html
    assert "client-punctual: late by 245 ms, limit 20% of <code>TTFT</code>" in html
    assert "requests-succeeded: 1 of 3 requests failed, limit 0" in html
    assert "This cell was run and kept" in html


def test_a_gate_that_the_record_does_not_have_is_named_all_the_same(tmp_path: Path) -> None:
    record(tmp_path, "a")
    (only,) = gather(pd.DataFrame([row("a", "steady")]), tmp_path).rows
    assert only.failures == (Failure("steady", ""),)


def test_only_a_cell_of_ones_own_can_be_measured_again(tmp_path: Path) -> None:
    results, shipped = tmp_path / "results", tmp_path / "collections/shipped"
    record(results, "own", LOST)
    record(shipped, "theirs", LOST)
    cells = pd.DataFrame([row("own", "requests-succeeded"), row("theirs", "requests-succeeded")])
    both, theirs = gather(cells, results, [shipped]), gather(cells[1:], results, [shipped])
    assert [one.own for one in both.rows] == [True, False]
    assert "measure a cell again" in rendered(both)
    assert "measure a cell again" not in rendered(theirs)
    simulated = gather(cells[:1].assign(evidence="simulated"), results)
    assert "measure" not in rendered(simulated)


def test_a_lost_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"cells/a/cell\.json"):
        gather(pd.DataFrame([row("a", "steady")]), tmp_path)


def test_without_any_it_says_so(tmp_path: Path) -> None:
    found = gather(pd.DataFrame([row("a", "")]), tmp_path)
    assert "None: every cell passed its validity gates." in rendered(found)
