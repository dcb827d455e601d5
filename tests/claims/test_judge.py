from pathlib import Path

import pytest
from tests.claims.made import cells, evidence

from burstlab.claims.judge import judge, shown_verdicts, write_verdicts
from burstlab.claims.load import load_claims
from burstlab.errors import BurstlabError

CELLS_NEEDED = {"B1", "B2", "B3", "B4", "B6", "B7", "B9", "B13", "B14", "B17"}


def test_an_empty_study_still_has_arithmetic_and_queueing(tmp_path: Path) -> None:
    found = list(judge(load_claims(), evidence(tmp_path, [])))
    run = {verdict.claim.id for verdict in found if verdict.verdict != "not run"}
    assert run == {"B5", "B15", "B18", "B20", "S2", "S8"}
    assert {verdict.verdict for verdict in found if verdict.claim.id in run} == {"reproduced"}


def test_excluded_cells_rest_no_verdict(tmp_path: Path) -> None:
    rows = cells(1.0) + cells(0.1, median_tpot_ms=1.0)
    rows = [row | {"counted": False, "failed_gates": "warm_up"} for row in rows]
    found = {verdict.claim.id: verdict.verdict for verdict in judge(load_claims(), evidence(tmp_path, rows))}
    assert {name for name in CELLS_NEEDED if found[name] == "not run"} == CELLS_NEEDED


def test_tables_are_written_and_shown(tmp_path: Path) -> None:
    evidence(tmp_path, cells(1.0) + cells(0.1))
    assert write_verdicts(tmp_path) > 31
    shown = shown_verdicts(tmp_path / "verdicts.csv")
    assert "\nS2  reproduced, trend holds [published]\n" in shown
    assert "\nB2  not run\n" in shown
    assert shown.splitlines()[-1].startswith(f"{write_verdicts(tmp_path)} verdicts on ")


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"cells\.parquet: no such study table"):
        write_verdicts(tmp_path)
