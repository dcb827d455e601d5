from pathlib import Path

import pandas as pd
import pytest
from tests.claims.made import CPU, checks, claim
from tests.claims.made_profiles import A100, cost, profiles, run
from tests.exact_batches.test_effects import rows

from burstlab.claims.decide import CONTRADICTED, DIFFERENT, NOT_RUN, REPRODUCED
from burstlab.claims.evidence import Evidence
from burstlab.claims.judge import judge
from burstlab.figures.tables import Tables

TOKEN = "attention a decode token, mixed over decode-only"
ITERATION = "attention an iteration, mixed over decode-only"


def verdicts(found: Evidence) -> list[tuple[str, str, str]]:
    return [(one.verdict, one.trend, one.evidence) for one in judge([claim("B8")], found)]


def test_under_the_sources_conditions_the_sizes_count(tmp_path: Path) -> None:
    costs = [cost(run(A100), "token", 3.5), cost(run(A100), "iteration", 2.1)]
    found = profiles(tmp_path, costs)
    assert {check.quantity: check.result for check in checks("B8", found)} == {
        TOKEN: "holds",
        ITERATION: "holds",
    }
    assert verdicts(found) == [(REPRODUCED, "holds", "measured")]


@pytest.mark.parametrize(("token", "iteration"), [(0.8, 2.0), (6.0, 2.0), (3.0, 1.2), (3.0, 3.0)])
def test_another_size_contradicts(token: float, iteration: float, tmp_path: Path) -> None:
    costs = [cost(run(A100), "token", token), cost(run(A100), "iteration", iteration)]
    assert [verdict for verdict, _, _ in verdicts(profiles(tmp_path, costs))] == [CONTRADICTED]


def test_elsewhere_it_is_above_1_or_not(tmp_path: Path) -> None:
    costs = [cost(run(CPU), "token", 9.0), cost(run(CPU), "iteration", 0.7)]
    found = profiles(tmp_path, costs)
    assert {check.quantity: check.result for check in checks("B8", found)} == {
        TOKEN: "holds",
        ITERATION: "fails",
    }
    assert verdicts(found) == [(DIFFERENT, "mixed", "measured")]


def test_an_interval_that_holds_1_tells_nothing(tmp_path: Path) -> None:
    (check,) = checks("B8", profiles(tmp_path, [cost(run(CPU), "token", 1.2, spread=0.5)]))
    assert check.result == "not told"


def test_several_runs_are_units_and_one_run_is_its_blocks(tmp_path: Path) -> None:
    costs = [cost(run(CPU, seed=seed), "token", index) for seed, index in enumerate((2.0, 2.2, 2.4))]
    costs.append(cost(run(CPU, burstiness=1.0), "token", 3.0))
    several, one = sorted(checks("B8", profiles(tmp_path, costs)), key=lambda check: check.interval.estimate)
    assert (several.interval.units, several.note) == (3, "3 profiled runs")
    assert several.interval.estimate == pytest.approx((2.0 * 2.2 * 2.4) ** (1 / 3))
    assert (one.interval.low, one.interval.high, one.interval.units) == (2.9, 3.1, 10)


def test_two_runs_are_too_few(tmp_path: Path) -> None:
    costs = [cost(run(CPU, seed=seed), "token", 2.0 + seed / 100) for seed in range(2)]
    (check,) = checks("B8", profiles(tmp_path, costs))
    assert check.thin
    assert check.result == "not told"


def test_simulated_and_measured_runs_are_apart(tmp_path: Path) -> None:
    costs = [cost(run(A100), "token", 3.0), cost(run(A100, evidence="simulated"), "token", 3.0)]
    assert {evidence for _, _, evidence in verdicts(profiles(tmp_path, costs))} == {"measured", "simulated"}


def test_a_run_in_which_something_else_ran_counts_nowhere(tmp_path: Path) -> None:
    costs = [cost(run(A100, failed_gates="flash-attention-version"), "token", 3.0)]
    assert checks("B8", profiles(tmp_path, costs)) == []


def test_a_gate_about_speed_does_not_matter_to_a_recorded_run(tmp_path: Path) -> None:
    assert len(checks("B8", profiles(tmp_path, [cost(run(A100, failed_gates="steady"), "token", 3.0)]))) == 1


def test_runs_of_two_versions_are_confounded(tmp_path: Path) -> None:
    costs = [
        cost(run(A100, seed=seed, vllm_version=version), "token", 3.0 + seed / 100)
        for seed, version in enumerate(("0.22.1", "0.22.1", "0.33.0"))
    ]
    assert [verdict for verdict, _, _ in verdicts(profiles(tmp_path, costs))] == [DIFFERENT]


def test_without_profiled_runs_it_was_not_run(tmp_path: Path) -> None:
    assert verdicts(profiles(tmp_path)) == [(NOT_RUN, "", "")]


def test_an_index_without_an_interval_is_no_check(tmp_path: Path) -> None:
    assert checks("B8", profiles(tmp_path, [cost(run(CPU), "token", None)])) == []


def test_what_exact_batches_cost_informs_and_is_no_verdict(tmp_path: Path) -> None:
    timed = [{**row, "part": "attention"} for number in range(8) for row in rows(number)]
    pd.DataFrame(timed).to_parquet(tmp_path / "exact_batches.parquet")
    found = profiles(tmp_path)
    (check,) = checks("B8", found)
    assert (check.headline, check.result, check.interval.estimate) == (False, "holds", pytest.approx(0.4))
    assert check.subject.setting == "2 decodes of 100 tokens beside 30 of a prompt"
    assert check.note == "10 ms alone; timed with hand; other programs used 1% of the cores"
    assert verdicts(found) == [(NOT_RUN, "", "")]


def test_what_costs_say_of_exact_batches_is_said_to_be_theirs(tmp_path: Path) -> None:
    said = {"part": "attention", "evidence": "simulated", "by": "roofline", "others_share": None}
    pd.DataFrame([row | said for row in rows(0)]).to_parquet(tmp_path / "exact_batches.parquet")
    (check,) = checks("B8", profiles(tmp_path))
    assert check.note == "10 ms alone; by the costs of roofline"


def test_tables_of_another_study_are_left_alone(tmp_path: Path) -> None:
    found = profiles(tmp_path, [cost(run(A100), "token", 3.0)])
    assert len(found.interference) == 1
    assert Evidence(Tables(found._tables.folder, left_out=["interference"])).interference.empty
