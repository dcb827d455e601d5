from pathlib import Path

import pytest
from tests.claims.made import PUBLISHED, cells, checks, evidence, results


def test_halved_latencies_hold_and_ttft_only_informs(tmp_path: Path) -> None:
    bursty = {"median_tpot_ms": 20.0, "p90_tpot_ms": 30.0, "median_e2el_ms": 450.0, "p90_e2el_ms": 700.0}
    found = checks("B1", evidence(tmp_path, cells(1.0) + cells(0.1, median_ttft_ms=300.0, **bursty)))
    assert [check.result for check in found if check.headline] == ["holds"] * 4
    (ttft,) = [check for check in found if not check.headline]
    assert ttft.interval.estimate == pytest.approx(2.0, rel=0.02)


@pytest.mark.parametrize(("tpot_ms", "size"), [(20.0, "holds"), (36.0, "fails")])
def test_about_half_is_checked_under_the_sources_conditions_alone(
    tmp_path: Path, tpot_ms: float, size: str
) -> None:
    rows = cells(1.0, PUBLISHED) + cells(0.1, PUBLISHED, median_tpot_ms=tpot_ms)
    found = results("B1", evidence(tmp_path, rows))
    assert found["relative change of median TPOT"] == "holds"
    assert found["relative change of median TPOT, its size"] == size
    elsewhere = results("B1", evidence(tmp_path, cells(1.0) + cells(0.1)))
    assert "relative change of median TPOT, its size" not in elsewhere


def test_rising_latency_fails(tmp_path: Path) -> None:
    rows = cells(1.0) + cells(0.1, median_tpot_ms=60.0)
    assert results("B1", evidence(tmp_path, rows))["relative change of median TPOT"] == "fails"
