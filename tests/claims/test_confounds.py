"""A comparison whose gates object says so, and is no verdict on the claim."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.claims.made import CPU, PUBLISHED, cells, claim, evidence

from burstlab.claims.check import Check
from burstlab.claims.decide import Verdict
from burstlab.claims.evidence import Evidence
from burstlab.claims.judge import judge
from burstlab.claims.load import load_claims
from burstlab.claims.registry import estimator
from burstlab.claims.table import verdict_row, write_tables

Row = dict[str, Any]
FA2 = {"platform": "h200", "model": "llama-3.1-8b", "engine": "fa2", "workload": "burstgpt"}
GROUPS = (PUBLISHED, CPU, FA2, FA2 | {"engine": "fa3"}, FA2 | {"engine": "fa2-eager"})


def study(folder: Path, groups: tuple[dict[str, str], ...] = GROUPS, **bursty: Any) -> Evidence:
    """Every group at b=1 and 0.1, where TPOT is halved; `bursty` is what else is different there."""
    rows: list[Row] = []
    for group in groups:
        rows += cells(1.0, group)
        rows += cells(0.1, group, median_tpot_ms=20.0, mean_tpot_ms=20.0, **bursty)
    rows = [row | {"on_gpu": row["platform"] != "cpu"} for row in rows]
    return evidence(folder, rows, [line for row in rows for line in iterations(row)])


def iterations(row: Row) -> list[Row]:
    made = ((1, 90), (4, 10), (9, 40), (16, 5), (25, 60))
    return [
        {"cell": row["cell"], "kind": "mixed", "elapsed_ms": 5.0 + 2 * one + context % 7}
        | {"context_tokens": context, "generation_tokens": one}
        for one, context in made
    ]


def checks_on_cells(name: str, found: Evidence) -> list[Check]:
    entry = claim(name)
    assert entry.estimator is not None
    return [check for check in estimator(entry.estimator)(entry, found) if check.subject.platform]


ON_PROFILED_RUNS = ("B8", "B10", "B11", "B12")  # see their own tests
ON_CELLS = [
    entry.id
    for entry in load_claims()
    if (entry.where is not None or entry.id == "B20") and entry.id not in ON_PROFILED_RUNS
]


@pytest.mark.parametrize("name", ON_CELLS)
def test_no_estimator_forgets_to_ask_whether_the_arms_ran_alike(name: str, tmp_path: Path) -> None:
    found = checks_on_cells(name, study(tmp_path, vllm_version="0.22.1"))
    assert found
    assert {check.confounds for check in found} == {("same-engine-version: vLLM 0.22.1, 0.33.0",)}


@pytest.mark.parametrize("name", ON_CELLS)
def test_arms_that_ran_alike_are_not_objected_to(name: str, tmp_path: Path) -> None:
    assert {check.confounds for check in checks_on_cells(name, study(tmp_path))} == {()}


def test_limits_of_the_arms_must_be_alike(tmp_path: Path) -> None:
    (text,) = {check.confounds for check in checks_on_cells("B1", study(tmp_path, (CPU,), max_sequences=256))}
    assert text[0].startswith("same-batch-limits: cpu: at most 2,048 tokens and 256 sequences")


@pytest.mark.parametrize(("name", "asks"), [("B14", True), ("B17", True), ("B1", False), ("B6", False)])
def test_graph_modes_are_asked_for_where_kinds_of_iteration_are_compared(
    tmp_path: Path, name: str, asks: bool
) -> None:
    rows = [*cells(1.0, PUBLISHED), *cells(0.1, PUBLISHED, median_tpot_ms=20.0)]
    rows = [row | {"on_gpu": True, "cudagraph_mode": "FULL_AND_PIECEWISE"} for row in rows]
    tables = evidence(tmp_path, rows, [line for row in rows for line in iterations(row)])
    found = {text for check in checks_on_cells(name, tables) for text in check.confounds}
    assert any(text.startswith("same-graph-mode: ") for text in found) is asks


@pytest.mark.parametrize("name", ["B9", "B13"])
def test_engines_that_are_compared_must_differ_in_nothing_else(name: str, tmp_path: Path) -> None:
    other = {"B9": "fa2-eager", "B13": "fa3"}[name]
    rows = cells(1.0, FA2) + cells(0.1, FA2)
    for b in (1.0, 0.1):
        rows += cells(b, FA2 | {"engine": other}, max_batched_tokens=8192)
    rows = [row | {"on_gpu": True} for row in rows]
    found = checks_on_cells(name, evidence(tmp_path, rows))
    assert found
    assert all(check.confounds[0].startswith("same-batch-limits: ") for check in found)


def only(name: str, found: Evidence) -> Verdict:
    (verdict,) = judge([claim(name)], found)
    return verdict


def test_under_the_sources_conditions_a_confound_is_named_in_place_of_a_verdict(tmp_path: Path) -> None:
    assert only("B6", study(tmp_path, (PUBLISHED,), decode_only_token_share=0.9)).verdict == "reproduced"
    verdict = only("B6", study(tmp_path, (PUBLISHED,), decode_only_token_share=0.9, vllm_version="0.22.1"))
    assert (verdict.verdict, verdict.trend) == ("different conditions", "holds")
    row = verdict_row(verdict)
    assert row["confounds"] == "same-engine-version: vLLM 0.22.1, 0.33.0"
    assert row["summary"].startswith(
        "A trend and no more, since not only what is claimed was different: same-engine-version: vLLM 0.22.1, 0.33.0. "
    )
    write_tables([verdict], tmp_path)
    assert set(pd.read_csv(tmp_path / "checks.csv")["confounds"]) == {row["confounds"]}


def test_what_is_confounded_takes_no_part_in_the_verdict_on_the_rest(tmp_path: Path) -> None:
    good = PUBLISHED | {"engine": "eager"}
    rows = cells(1.0, good) + cells(0.1, good, decode_only_token_share=0.9)
    rows += cells(1.0, PUBLISHED) + cells(0.1, PUBLISHED, decode_only_token_share=0.5, vllm_version="0.22.1")
    clean, confounded = judge([claim("B6")], evidence(tmp_path, rows))
    assert (clean.verdict, clean.confounds) == ("reproduced", ())
    assert (confounded.verdict, confounded.trend) == ("different conditions", "fails")
    assert len(confounded.confounds) == 1
