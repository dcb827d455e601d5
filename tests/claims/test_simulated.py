"""Simulated cells in the ledger: they stand for the GPU that is simulated, and for no measurement."""

from pathlib import Path
from typing import Any

from tests.claims.made import PUBLISHED, cells, checks, claim, evidence

from burstlab.claims.decide import DIFFERENT, REPRODUCED, Verdict, decide
from burstlab.claims.summary import summarise

RANDOM = PUBLISHED | {"workload": "random-512-256"}
SIMULATED = RANDOM | {"platform": "gh200-simulated"}
HALVED = {"median_tpot_ms": 20.0, "p90_tpot_ms": 30.0, "median_e2el_ms": 450.0, "p90_e2el_ms": 750.0}


def verdicts(folder: Path, *groups: tuple[dict[str, str], str]) -> list[Verdict]:
    """The verdicts on B1 where bursts halve latencies in each of the groups, which are of a kind of evidence."""
    rows: list[dict[str, Any]] = []
    for group, kind in groups:
        rows += cells(1.0, group, evidence=kind) + cells(0.1, group, evidence=kind, **HALVED)
    return list(decide(claim("B1"), checks("B1", evidence(folder, rows))))


def test_a_simulated_gpu_is_the_published_one_for_what_is_simulated(tmp_path: Path) -> None:
    (found,) = verdicts(tmp_path, (SIMULATED, "simulated"))
    assert (found.verdict, found.evidence, found.platform) == (REPRODUCED, "simulated", "gh200-simulated")


def test_a_measured_cell_is_on_no_simulated_gpu(tmp_path: Path) -> None:
    (found,) = verdicts(tmp_path, (SIMULATED, "measured"))
    assert found.verdict == DIFFERENT


def test_a_measured_and_a_simulated_verdict_stand_beside_each_other(tmp_path: Path) -> None:
    found = verdicts(tmp_path, (RANDOM, "measured"), (SIMULATED, "simulated"))
    assert [(one.evidence, one.platform) for one in found] == [
        ("measured", "gh200"),
        ("simulated", "gh200-simulated"),
    ]
    for one in found:
        assert {check.evidence for check in one.checks} == {one.evidence}


def test_its_sentence_says_so(tmp_path: Path) -> None:
    measured, simulated = verdicts(tmp_path, (RANDOM, "measured"), (SIMULATED, "simulated"))
    assert summarise(simulated) == f"Simulated: {summarise(measured)}"


def test_a_stand_in_is_no_published_data_set(tmp_path: Path) -> None:
    stand_in = SIMULATED | {"workload": "synthetic-burstgpt"}
    (found,) = verdicts(tmp_path, (stand_in, "simulated"))
    assert found.verdict == DIFFERENT
