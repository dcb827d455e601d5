from pathlib import Path

import pytest
from tests.claims.made import cells, checks, evidence


@pytest.mark.parametrize(("after", "result"), [(0.85, "holds"), (0.55, "fails"), (0.7, "not told")])
def test_the_share_goes_one_way_or_the_other(tmp_path: Path, after: float, result: str) -> None:
    rows = cells(1.0, decode_only_token_share=0.7) + cells(0.1, decode_only_token_share=after)
    (check,) = checks("B6", evidence(tmp_path, rows))
    assert check.interval.estimate == pytest.approx(after - 0.7, abs=1e-6)
    assert check.result == result
