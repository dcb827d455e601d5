"""What would be taken for an effect of bursts or GPUs, and is one of settings."""

import pkgutil
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from tests.records.sample_cells import SampleCells

from burstlab.records.cell_record import read_record
from burstlab.records.schema import Gate
from burstlab.validity import comparisons
from burstlab.validity.compare import confounds, judge_arms, judge_kinds
from burstlab.validity.conditions import COLUMNS, Conditions, distinct

H200 = Conditions("h200", True, "0.33.0", "FULL_AND_PIECEWISE", 2048, 256)
A100 = replace(H200, platform="a100-40gb")
UNKNOWN = {"max_batched_tokens": None, "max_sequences": None}


def verdict(name: str, *cells: Conditions) -> Gate:
    (found,) = [gate for gate in (*judge_arms(cells), *judge_kinds(cells)) if gate.name == name]
    return found


EAGER = replace(H200, cudagraph_mode="NONE")
CASES: dict[str, tuple[tuple[Conditions, ...], tuple[Conditions, ...]]] = {
    "same-batch-limits": ((A100, replace(H200, max_batched_tokens=8192)), (A100, H200)),
    "same-engine-version": ((H200, replace(H200, vllm_version="0.22.1")), (H200, H200)),
    "same-graph-mode": ((H200,), (EAGER,)),
}
"""For each gate of a comparison, cells that fail it and cells that pass it."""


def test_every_gate_of_a_comparison_has_cases_that_fail_and_pass_it() -> None:
    names = {gate.name for gate in (*judge_arms([H200]), *judge_kinds([H200]))}
    files = {module.name.replace("_", "-") for module in pkgutil.iter_modules(comparisons.__path__)}
    assert set(CASES) == names == files
    for name, (bad, good) in CASES.items():
        assert verdict(name, *bad).state == "failed"
        assert verdict(name, *good).state == "passed"


def test_platforms_with_pinned_limits_compare() -> None:
    assert verdict("same-batch-limits", A100, H200).state == "passed"


def test_different_default_limits_do_not() -> None:
    gate = verdict("same-batch-limits", A100, replace(H200, max_batched_tokens=8192, max_sequences=1024))
    assert gate.state == "failed"
    assert gate.message == (
        "a100-40gb: at most 2,048 tokens and 256 sequences in an iteration; "
        "h200: at most 8,192 tokens and 1,024 sequences in an iteration"
    )


def test_one_limit_that_differs_is_enough_whatever_is_unknown() -> None:
    unknown = replace(A100, max_batched_tokens=None, max_sequences=1024)
    assert verdict("same-batch-limits", unknown, H200).state == "failed"


def test_limits_that_nobody_states_are_not_judged_across_platforms() -> None:
    open_limits = [replace(one, **UNKNOWN) for one in (A100, H200)]
    assert verdict("same-batch-limits", *open_limits).state == "not judged"
    assert verdict("same-batch-limits", open_limits[0], H200).state == "not judged"


def test_defaults_within_one_platform_are_alike_unless_cells_say_otherwise() -> None:
    assert verdict("same-batch-limits", replace(H200, **UNKNOWN), replace(H200, **UNKNOWN)).state == (
        "not applicable"
    )
    assert verdict("same-batch-limits", H200, H200).state == "passed"
    assert verdict("same-batch-limits", H200, replace(H200, max_sequences=512)).state == "failed"


@pytest.mark.parametrize(
    ("mode", "state"),
    [
        ("FULL_AND_PIECEWISE", "failed"),
        ("FULL_DECODE_ONLY", "failed"),
        ("PIECEWISE", "passed"),
        ("FULL", "passed"),
        ("NONE", "passed"),
        (None, "not judged"),
    ],
)
def test_full_graphs_for_decodes_alone_are_a_confound(mode: str | None, state: str) -> None:
    assert verdict("same-graph-mode", replace(H200, cudagraph_mode=mode)).state == state


def test_a_cpu_has_no_graphs_and_of_an_unknown_machine_nobody_knows() -> None:
    assert verdict("same-graph-mode", replace(H200, on_gpu=False)).state == "not applicable"
    assert verdict("same-graph-mode", replace(H200, on_gpu=None, cudagraph_mode=None)).state == "not judged"


def test_versions_are_compared_within_a_platform_and_across() -> None:
    assert verdict("same-engine-version", H200, A100).state == "passed"
    assert verdict("same-engine-version", H200, replace(A100, vllm_version="0.22.1")).state == "failed"
    unknown = replace(A100, vllm_version=None)
    assert verdict("same-engine-version", H200, unknown).state == "not judged"
    assert (
        verdict("same-engine-version", H200, replace(H200, vllm_version="0.22.1"), unknown).state == "failed"
    )


def test_a_confound_is_a_failed_gate_with_its_evidence() -> None:
    old = replace(H200, vllm_version="0.22.1")
    assert confounds(judge_arms([old, H200])) == ("same-engine-version: vLLM 0.22.1, 0.33.0",)
    assert confounds(judge_arms([H200, replace(H200, vllm_version=None)])) == ()


@pytest.fixture
def record(tmp_path: Any) -> Any:
    samples = SampleCells(tmp_path / "results")

    def made(engine: dict[str, Any] | None, **reported: str) -> Any:
        cell = samples.cell()
        asked = samples.specification(cell) | {"platform": {"kind": "cuda"}}
        asked = asked if engine is None else asked | {"engine": engine}
        folder = samples.build(cell, specification=asked, engine_reported=reported)
        return read_record(folder / "cell.json")

    return made


def test_what_the_engine_says_comes_before_what_was_asked_for(record: Any) -> None:
    asked = {"max_batched_tokens": 2048, "max_sequences": 64}
    found = Conditions.of(record(asked, max_batched_tokens="8192", version="0.33.0", cudagraph_mode="NONE"))
    assert (found.max_batched_tokens, found.max_sequences) == (8192, 64)
    assert (found.on_gpu, found.vllm_version, found.cudagraph_mode) == (True, "0.33.0", "NONE")


def test_conditions_pass_through_the_table(record: Any) -> None:
    for found in (
        Conditions.of(record({"max_sequences": 64})),
        replace(H200, on_gpu=None, max_sequences=None),
    ):
        row = {"platform": found.platform, **found.columns()}
        assert set(found.columns()) == set(COLUMNS)
        assert Conditions.of_row(row) == found
        gaps = {name: float("nan") if value is None else value for name, value in row.items()}
        assert Conditions.of_row(gaps) == found


def test_conditions_of_many_cells_are_told_once_each() -> None:
    other = replace(H200, vllm_version=None, max_sequences=None)
    rows = [{"platform": one.platform, **one.columns()} for one in (H200, other, H200, other)]
    assert distinct(pd.DataFrame(rows)) == (H200, other)
    assert distinct(pd.DataFrame([{"platform": "h200"}, {"platform": "h200"}])) == (
        Conditions("h200", *[None] * 5),
    )
    assert distinct(pd.DataFrame(rows).head(0)) == ()


def test_an_older_table_knows_nothing() -> None:
    assert Conditions.of_row({"platform": "h200"}) == Conditions("h200", *[None] * 5)
