from pathlib import Path

import pytest
from tests.claims.made import CPU, PUBLISHED, cells, checks, evidence


@pytest.mark.parametrize(("after_ms", "result"), [(30.0, "holds"), (60.0, "fails")])
def test_seventy_to_thirty(tmp_path: Path, after_ms: float, result: str) -> None:
    rows = cells(1.0, PUBLISHED, mean_tpot_ms=70.0) + cells(0.1, PUBLISHED, mean_tpot_ms=after_ms)
    (check,) = checks("B2", evidence(tmp_path, rows))
    assert (check.result, check.published, check.direct) == (result, -0.57, True)


def test_a_size_is_not_checked_on_other_hardware(tmp_path: Path) -> None:
    rows = cells(1.0, CPU, mean_tpot_ms=70.0) + cells(0.1, CPU, mean_tpot_ms=30.0)
    assert checks("B2", evidence(tmp_path, rows)) == []


def test_with_a_stand_in_for_the_data_set_the_size_is_checked_on_different_conditions(tmp_path: Path) -> None:
    stand_in = PUBLISHED | {
        "platform": "gh200-simulated",
        "workload": "synthetic-burstgpt",
        "evidence": "simulated",
    }
    rows = cells(1.0, stand_in, mean_tpot_ms=70.0) + cells(0.1, stand_in, mean_tpot_ms=60.0)
    (check,) = checks("B2", evidence(tmp_path, rows))
    assert (check.result, check.published, check.direct) == ("fails", -0.57, False)
    assert check.evidence == "simulated"
