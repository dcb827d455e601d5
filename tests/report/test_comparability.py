from typing import Any

import pandas as pd
from tests.claims.made import CPU, cells

from burstlab.report.comparability import Objection, gather

H200 = CPU | {"platform": "h200"}
GPU = {"on_gpu": True, "cudagraph_mode": "FULL_AND_PIECEWISE"}


def study(*rows: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([row for some in rows for row in some])


def test_cells_that_ran_alike_are_not_objected_to() -> None:
    found = gather(study(cells(1.0), cells(0.1), cells(1.0, H200)))
    assert found.objections == ()
    assert found.asked == (("arms of burstiness", 1), ("kinds of iteration", 2), ("platforms", 1))


def test_arms_on_two_versions() -> None:
    other = CPU | {"workload": "w"}
    found = gather(
        study(
            cells(1.0),
            cells(0.1, vllm_version="0.22.1"),
            cells(1.0, other),
            cells(0.1, other, vllm_version="0.22.1"),
        )
    )
    (one,) = found.objections
    assert (one.compared, one.gate, one.state) == ("arms of burstiness", "same-engine-version", "failed")
    assert one.message == "vLLM 0.22.1, 0.33.0"
    assert one.where == "cpu · tiny-gqa · eager · random-256-32, cpu · tiny-gqa · eager · w"


def test_platforms_whose_default_limits_differ() -> None:
    found = gather(study(cells(1.0), cells(1.0, H200, max_batched_tokens=8192)))
    (one,) = found.objections
    assert (one.compared, one.gate) == ("platforms", "same-batch-limits")
    assert one.where == "tiny-gqa · eager · random-256-32 on cpu, h200"


def test_kinds_of_iteration_in_different_graphs_and_what_nobody_knows_after() -> None:
    unknown = H200 | {"engine": "imported"}
    rows = [row | GPU for row in cells(1.0, H200)]
    rows += [row | {"on_gpu": None, "cudagraph_mode": None} for row in cells(1.0, unknown)]
    failed, open_ = gather(study(rows)).objections
    assert (failed.compared, failed.state) == ("kinds of iteration", "failed")
    assert (open_.gate, open_.state) == ("same-graph-mode", "not judged")


def test_excluded_cells_are_not_compared() -> None:
    rows = cells(0.1, vllm_version="0.22.1", counted=False)
    assert gather(study(cells(1.0), cells(0.1, H200), rows)).objections == ()


def test_many_places_are_counted() -> None:
    one = Objection("platforms", "g", "failed", "m", tuple(map(str, range(8))))
    assert one.where == "0, 1, 2, 3, 4, 5 and 2 more"
