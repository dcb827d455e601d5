from pathlib import Path

import pytest
from tests.claims.made import cells, checks, evidence


def test_the_queue_holds_and_the_approximation_only_where_it_should(tmp_path: Path) -> None:
    found = checks("B20", evidence(tmp_path, []))
    assert {check.result for check in found if check.headline} == {"holds"}
    approximation = {check.subject.setting: check for check in found if "approximation" in check.quantity}
    assert approximation["b=1, utilisation 0.5"].result == "holds"
    assert approximation["b=0.1, utilisation 0.5"].result == "fails"
    assert not any(check.headline for check in approximation.values())


def test_ttft_of_cells_is_different_conditions(tmp_path: Path) -> None:
    rows = cells(1.0, mean_ttft_ms=100.0) + cells(0.1, mean_ttft_ms=300.0)
    (check,) = [check for check in checks("B20", evidence(tmp_path, rows)) if check.evidence == "measured"]
    assert check.interval.estimate == pytest.approx(2.0, abs=1e-6)
    assert (check.result, check.direct, check.headline) == ("holds", False, True)
