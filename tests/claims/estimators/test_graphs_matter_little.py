from pathlib import Path

import pytest
from tests.claims.made import CPU, cells, checks, evidence

GRAPHS = CPU | {"engine": "default"}


@pytest.mark.parametrize(("with_graphs_ms", "result"), [(20.0, "holds"), (40.0, "fails")])
def test_the_same_halving_or_none(tmp_path: Path, with_graphs_ms: float, result: str) -> None:
    rows = cells(1.0, median_tpot_ms=40.0) + cells(0.1, median_tpot_ms=20.0)
    rows += cells(1.0, GRAPHS, median_tpot_ms=40.0) + cells(0.1, GRAPHS, median_tpot_ms=with_graphs_ms)
    (check,) = checks("B9", evidence(tmp_path, rows))
    assert (check.result, check.note) == (result, "eager against default")


def test_one_engine_alone_says_nothing(tmp_path: Path) -> None:
    assert checks("B9", evidence(tmp_path, cells(1.0) + cells(0.1))) == []
    other = GRAPHS | {"platform": "h200"}
    assert (
        checks("B9", evidence(tmp_path, cells(1.0) + cells(0.1) + cells(1.0, other) + cells(0.1, other)))
        == []
    )
