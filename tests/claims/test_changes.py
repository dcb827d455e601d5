from pathlib import Path

import numpy as np
import pytest
from tests.claims.made import CPU, PUBLISHED, cells, claim, evidence

from burstlab.claims import changes
from burstlab.claims.check import falls, near, rises
from burstlab.claims.evidence import Contrast


@pytest.fixture
def contrast(tmp_path: Path) -> Contrast:
    rows = cells(1.0, median_tpot_ms=40.0, decode_only_token_share=0.6)
    rows += cells(0.1, median_tpot_ms=20.0, decode_only_token_share=0.8)
    (found,) = evidence(tmp_path, rows).contrasts()
    return found


def test_a_relative_change(contrast: Contrast) -> None:
    found = changes.relative(claim("B1"), contrast, "median_tpot_ms", "median TPOT", falls())
    assert found is not None
    assert found.interval.estimate == pytest.approx(-0.5, abs=1e-6)
    assert (found.result, found.interval.units, found.direct) == ("holds", 5, False)
    assert found.note == "means 40 and 20"


def test_a_difference_of_shares(contrast: Contrast) -> None:
    found = changes.difference(claim("B6"), contrast, "decode_only_token_share", "share", rises())
    assert found is not None
    assert found.interval.estimate == pytest.approx(0.2)


def test_only_a_direction_has_a_p_value(contrast: Contrast) -> None:
    one = changes.relative(claim("B2"), contrast, "median_tpot_ms", "x", near(-0.5, 0.1))
    two = changes.relative(claim("B2"), contrast, "median_tpot_ms", "x", rises())
    assert one is not None
    assert two is not None
    assert (one.p_value, two.p_value is None) == (None, False)


def test_one_seed_gives_no_check(tmp_path: Path) -> None:
    (lonely,) = evidence(tmp_path, cells(1.0, seeds=1) + cells(0.1, seeds=1)).contrasts()
    assert changes.relative(claim("B1"), lonely, "median_tpot_ms", "x", falls()) is None
    assert changes.of_values(claim("B1"), lonely, "x", np.array([1.0, np.nan]), falls()) is None


@pytest.mark.parametrize(("group", "direct"), [(CPU, False), (PUBLISHED, True)])
def test_conditions_are_direct_where_the_ledger_says_so(
    tmp_path: Path, group: dict[str, str], direct: bool
) -> None:
    (found,) = evidence(tmp_path, cells(1.0, group) + cells(0.1, group)).contrasts()
    assert changes.is_direct(claim("B1"), found) is direct
    assert not changes.is_direct(claim("B8"), found)
