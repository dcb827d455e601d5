from pathlib import Path

import pytest
from tests.claims.made import cells, checks, evidence, results


def test_the_printed_numbers_agree_within_their_rounding(tmp_path: Path) -> None:
    found = {check.quantity.split(",")[0]: check for check in checks("B5", evidence(tmp_path, []))}
    assert {name: check.result for name, check in found.items()} == {
        "fall": "holds",
        "interval at b=1": "holds",
        "interval at b=0.1": "holds",
    }
    # 0.712·26.05 + 0.288·156.98 and 0.88·14.36 + 0.12·116.02, by hand.
    assert found["interval at b=1"].interval.estimate == pytest.approx(63.75784)
    assert found["interval at b=0.1"].interval.estimate == pytest.approx(26.5592)
    # The share of 88% was printed without a decimal: half a point of 101.66 ms either way, and the durations' rounding.
    assert found["interval at b=0.1"].interval.low == pytest.approx(26.5592 - 0.5083 - 0.005, abs=1e-3)


def test_a_prediction_close_to_tpot_holds_and_a_distant_one_fails(tmp_path: Path) -> None:
    rows = cells(1.0, mean_tpot_ms=40.0, expected_interval_ms=39.0)
    rows += cells(0.1, mean_tpot_ms=40.0, expected_interval_ms=20.0)
    found = results("B5", evidence(tmp_path, rows))
    assert found["expected interval against mean TPOT, steadiest arrivals"] == "holds"
    assert found["expected interval against mean TPOT, burstiest arrivals"] == "fails"
