from pathlib import Path

import pytest
from tests.claims.made import CPU, cells, checks, evidence

EAGER = CPU | {"platform": "h200", "engine": "eager"}
GRAPHS = EAGER | {"engine": "default"}
GPU = {"on_gpu": True}


@pytest.mark.parametrize(("with_graphs_ms", "result"), [(20.0, "holds"), (40.0, "fails")])
def test_the_same_halving_or_none(tmp_path: Path, with_graphs_ms: float, result: str) -> None:
    rows = cells(1.0, EAGER, median_tpot_ms=40.0) + cells(0.1, EAGER, median_tpot_ms=20.0)
    rows += cells(1.0, GRAPHS, median_tpot_ms=40.0) + cells(0.1, GRAPHS, median_tpot_ms=with_graphs_ms)
    (check,) = checks("B9", evidence(tmp_path, [row | GPU for row in rows]))
    assert (check.result, check.note) == (result, "eager against default")


def test_one_engine_alone_says_nothing(tmp_path: Path) -> None:
    assert checks("B9", evidence(tmp_path, cells(1.0) + cells(0.1))) == []
    rows = cells(1.0) + cells(0.1) + cells(1.0, GRAPHS) + cells(0.1, GRAPHS)
    assert checks("B9", evidence(tmp_path, [row | GPU for row in rows])) == []


def test_on_a_cpu_there_are_no_graphs_to_compare(tmp_path: Path) -> None:
    other = CPU | {"engine": "default"}
    rows = cells(1.0) + cells(0.1) + cells(1.0, other) + cells(0.1, other)
    assert checks("B9", evidence(tmp_path, rows)) == []
