"""Engines under several names whose simulations are one count once."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.claims.made import PUBLISHED, cells, claim, evidence

from burstlab.claims.alike import alike, merged
from burstlab.claims.check import Check, Subject, rises
from burstlab.claims.evidence import Evidence
from burstlab.claims.families import Correction, Key, corrections
from burstlab.claims.judge import judge
from burstlab.statistics.interval import Interval

SPARED = Interval(0.1, 0.1, 0.1, 0, "by costs")
GROUP = PUBLISHED | {"platform": "h200-simulated", "model": "llama-3.1-8b", "workload": "random-512-256"}


def study(folder: Path, kind: str = "simulated", **tpot_ms: float) -> Evidence:
    """Engines whose median TPOT goes from 40 ms to so much."""
    rows: list[dict[str, Any]] = []
    for engine, value in tpot_ms.items():
        group = GROUP | {"engine": engine}
        rows += cells(1.0, group, evidence=kind, median_tpot_ms=40.0)
        rows += cells(0.1, group, evidence=kind, median_tpot_ms=value, mean_tpot_ms=value)
    return evidence(folder, rows)


def checked(found: Evidence) -> list[tuple[str, tuple[str, ...]]]:
    verdict = next(iter(judge([claim("B1")], found)))
    return [
        (check.subject.engine, check.alike)
        for check in verdict.headline
        if check.quantity == "relative change of median TPOT"
    ]


def test_the_first_engine_stands_for_those_whose_cells_are_the_same(tmp_path: Path) -> None:
    found = study(tmp_path, default=20.0, fa2=30.0, fa3=20.0, fa4=20.0)
    names = {subject.engine: first.engine for subject, first in alike(found.contrasts()).items()}
    assert names == {"default": "default", "fa2": "fa2", "fa3": "default", "fa4": "default"}


def test_a_verdict_counts_them_once_and_names_the_others(tmp_path: Path) -> None:
    found = study(tmp_path, default=20.0, fa2=30.0, fa3=20.0, fa4=20.0)
    assert checked(found) == [("default", ("fa3", "fa4")), ("fa2", ())]


def test_what_is_said_of_an_engine_without_cells_is_said_once_too(tmp_path: Path) -> None:
    found = study(tmp_path, default=20.0, fa2=30.0, fa3=20.0)
    checks = [
        Check("spared", "", "simulated", SPARED, rises(), Subject(GROUP["platform"], GROUP["model"], engine))
        for engine in ("default", "fa2", "fa3")
    ]
    kept = list(merged(checks, alike(found.contrasts())))
    assert [(check.subject.engine, check.alike) for check in kept] == [("default", ("fa3",)), ("fa2", ())]
    apart = [checks[0], replace(checks[2], interval=Interval(0.2, 0.2, 0.2, 0, "by costs"))]
    assert list(merged(apart, alike(found.contrasts()))) == apart


def test_engines_that_are_alike_under_one_load_alone_are_not_the_same(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    for workload, default in (("random-512-256", 20.0), ("random-64-16", 25.0)):
        for engine, value in (("default", default), ("fa3", 20.0)):
            group = GROUP | {"engine": engine, "workload": workload}
            rows += cells(1.0, group, evidence="simulated")
            rows += cells(0.1, group, evidence="simulated", median_tpot_ms=value, mean_tpot_ms=value)
    found = evidence(tmp_path, rows)
    assert checked(found) == [("default", ("fa3",)), ("default", ()), ("fa3", ())]
    checks = [
        Check("spared", "", "simulated", SPARED, rises(), Subject(GROUP["platform"], GROUP["model"], engine))
        for engine in ("default", "fa3")
    ]
    assert list(merged(checks, alike(found.contrasts()))) == checks


def test_what_was_measured_is_never_merged(tmp_path: Path) -> None:
    found = alike(study(tmp_path, default=20.0, fa3=20.0).contrasts())
    check = Check(
        "spared", "", "measured", SPARED, rises(), Subject(GROUP["platform"], GROUP["model"], "fa3")
    )
    assert list(merged([check, check], found)) == [check, check]


def test_cells_that_were_measured_count_each(tmp_path: Path) -> None:
    found = study(tmp_path, "measured", default=20.0, fa3=20.0)
    assert [engine for engine, _ in checked(found)] == ["default", "fa3"]
    assert alike(found.contrasts()) == {}


def test_they_are_one_comparison_and_all_have_its_correction(tmp_path: Path) -> None:
    def found(**tpot_ms: float) -> Mapping[Key, Correction]:
        contrasts = list(study(tmp_path, **tpot_ms).contrasts())
        return corrections(contrasts, alike(contrasts))

    once, again = found(default=20.0, fa2=39.0), found(default=20.0, fa2=39.0, fa3=20.0)
    assert {key: again[key] for key in once} == once
    by_engine = {key[0].engine: one for key, one in again.items() if key[2] == "median_tpot_ms"}
    assert by_engine["fa3"] == by_engine["default"] != by_engine["fa2"]


@pytest.mark.parametrize(
    "metric", ["mean_tpot_ms", "mean_ttft_ms", "mean_e2el_ms", "decode_only_token_share"]
)
def test_one_other_metric_makes_another_simulation(tmp_path: Path, metric: str) -> None:
    rows: list[dict[str, Any]] = []
    for engine, value in (("default", 0.4), ("fa3", 0.5)):
        group = GROUP | {"engine": engine}
        rows += cells(1.0, group, evidence="simulated") + cells(
            0.1, group, evidence="simulated", **{metric: value}
        )
    assert len(set(alike(evidence(tmp_path, rows).contrasts()).values())) == 2
