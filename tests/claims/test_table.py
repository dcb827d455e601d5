from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from tests.claims.made import CPU, cells, claim, evidence

from burstlab.claims.decide import Verdict
from burstlab.claims.judge import judge
from burstlab.claims.load import load_claims
from burstlab.claims.table import CHECKS_SCHEMA, VERDICTS_SCHEMA, verdict_row, write_tables


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    other = CPU | {"workload": "synthetic-sharegpt"}
    rows = (
        cells(1.0)
        + cells(0.1, median_tpot_ms=20.0)
        + cells(1.0, other)
        + cells(0.1, other, median_tpot_ms=30.0)
    )
    return list(judge(load_claims(), evidence(tmp_path_factory.mktemp("tables"), rows)))


def test_the_files_have_their_schemas_and_every_claim(verdicts: list[Verdict], tmp_path: Path) -> None:
    write_tables(verdicts, tmp_path)
    assert pq.read_schema(tmp_path / "verdicts.parquet").equals(VERDICTS_SCHEMA)
    assert pq.read_schema(tmp_path / "checks.parquet").equals(CHECKS_SCHEMA)
    text = pd.read_csv(tmp_path / "verdicts.csv")
    assert len(text) == len(verdicts)
    assert len(set(text["id"])) == 31
    assert len(pd.read_csv(tmp_path / "checks.csv")) == sum(len(verdict.checks) for verdict in verdicts)


def test_no_verdict_without_an_interval_and_evidence(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        row = verdict_row(verdict)
        if row["verdict"] == "not run":
            assert row["estimate"] is None
            assert row["summary"].startswith("Missing: ")
        else:
            assert row["low"] <= row["estimate"] <= row["high"]
            assert row["evidence"] in ("measured", "simulated", "published")


def test_several_groups_are_joined_from_the_lowest_bound_to_the_highest(verdicts: list[Verdict]) -> None:
    (verdict,) = [one for one in verdicts if one.claim.id == "B1"]
    row = verdict_row(verdict)
    each = [c.interval for c in verdict.headline if c.quantity == "relative change of median TPOT"]
    assert (row["groups"], row["quantity"]) == (2, "relative change of median TPOT")
    assert row["low"] == min(one.low for one in each)
    assert row["high"] == max(one.high for one in each)
    assert row["estimate"] == pytest.approx((-0.5 - 0.25) / 2, abs=1e-3)


def test_the_same_tables_give_the_same_bytes(verdicts: list[Verdict], tmp_path: Path) -> None:
    write_tables(verdicts, tmp_path / "a")
    write_tables(verdicts, tmp_path / "b")
    for name in ("verdicts.parquet", "verdicts.csv", "checks.parquet", "checks.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_published_value_of_a_claim_not_run_is_kept() -> None:
    row = verdict_row(Verdict(claim("S5"), "not run", "", "", "", ()))
    assert (row["published_value"], row["command"]) == (31.4, "")
