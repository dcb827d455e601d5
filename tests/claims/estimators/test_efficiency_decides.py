from pathlib import Path

import pytest
from tests.claims.made import cells, checks, evidence

from burstlab.claims.check import Check
from burstlab.claims.estimators.efficiency_decides import PARTS


def found(folder: Path, mixed_ms: float, tpot_ms: float) -> dict[str, Check]:
    rows = cells(1.0, mean_decode_only_ms=20.0, mean_mixed_ms=mixed_ms, median_tpot_ms=40.0)
    rows += cells(0.1, mean_decode_only_ms=20.0, mean_mixed_ms=mixed_ms, median_tpot_ms=tpot_ms)
    return {check.quantity: check for check in checks("B14", evidence(folder, rows))}


@pytest.mark.parametrize(
    ("mixed_ms", "tpot_ms", "result", "headline"),
    [
        (100.0, 20.0, "holds", True),  # efficient, and it fell
        (100.0, 60.0, "fails", True),  # efficient, yet it rose
        (24.0, 60.0, "holds", True),  # not efficient, and it rose
        (24.0, 20.0, "fails", True),  # not efficient, yet it fell
    ],
)
def test_the_ratio_foretells_the_direction(
    tmp_path: Path, mixed_ms: float, tpot_ms: float, result: str, headline: bool
) -> None:
    check = found(tmp_path, mixed_ms, tpot_ms)["relative change of median TPOT"]
    assert (check.result, check.headline) == (result, headline)


def test_a_ratio_about_the_limit_foretells_nothing(tmp_path: Path) -> None:
    rows = cells(1.0, mean_decode_only_ms=20.0) + cells(0.1, median_tpot_ms=20.0)
    for row, mixed_ms in zip(rows[:5], (38.0, 42.0, 40.0, 37.0, 43.0), strict=True):
        row["mean_mixed_ms"] = mixed_ms
    by_name = {check.quantity: check for check in checks("B14", evidence(tmp_path, rows))}
    assert not by_name["relative change of median TPOT"].headline


def test_the_mechanism_is_told_in_three_parts_that_inform(tmp_path: Path) -> None:
    rows = cells(1.0, seeds=3) + cells(0.1, seeds=3)
    for row in rows[3:]:
        row |= {"decode_only_token_share": 0.9, "mean_mixed_ms": 150.0}
    by_name = {check.quantity: check for check in checks("B14", evidence(tmp_path, rows))}
    # The share rises by 0.2 where a mixed iteration takes (80 + 130)/2 ms longer; 0.2 of tokens then take 50 ms more.
    assert [by_name[name].interval.estimate for name in PARTS] == pytest.approx([-21.0, 0.0, 10.0])
    assert not any(by_name[name].headline for name in PARTS)


def test_cells_without_mixed_iterations_give_no_parts(tmp_path: Path) -> None:
    rows = cells(1.0) + cells(0.1)
    for row in rows[5:]:
        row["mean_mixed_ms"] = None
    assert not {check.quantity for check in checks("B14", evidence(tmp_path, rows))} & set(PARTS)
