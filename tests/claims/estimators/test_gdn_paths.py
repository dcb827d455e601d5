from pathlib import Path
from typing import Any

from tests.claims.made import CPU, checks, claim
from tests.claims.made_profiles import A100, GDN, path, profiles, run

from burstlab.claims.decide import DIFFERENT, NOT_RUN, REPRODUCED
from burstlab.claims.judge import judge

DECODES = "share of decode-only iterations with recurrent kernels"
CHUNKED = "share of mixed iterations with chunked kernels"
RECURRENT = "share of mixed iterations with recurrent kernels"


def whole(of: dict[str, Any]) -> list[dict[str, Any]]:
    """As vLLM up to 0.22: mixed batches go whole through the chunked kernels."""
    return [path(of, "decode-only", "gdn-recurrent", 200), path(of, "mixed", "gdn-chunked", 200)]


def split(of: dict[str, Any]) -> list[dict[str, Any]]:
    """As from 0.23: decodes are taken out of mixed batches."""
    return [*whole(of), path(of, "mixed", "gdn-recurrent", 200)]


def test_mixed_batches_that_go_whole_are_as_published(tmp_path: Path) -> None:
    found = profiles(tmp_path, paths=whole(run(GDN, vllm_version="0.22.1")))
    assert {check.quantity: (check.interval.estimate, check.result) for check in checks("B10", found)} == {
        DECODES: (1.0, "holds"),
        CHUNKED: (1.0, "holds"),
        RECURRENT: (0.0, "holds"),
    }
    assert [one.verdict for one in judge([claim("B10")], found)] == [REPRODUCED]


def test_a_later_version_is_other_conditions_and_fails(tmp_path: Path) -> None:
    found = profiles(tmp_path, paths=split(run(GDN, vllm_version="0.33.0")))
    assert {check.quantity: check.result for check in checks("B10", found)}[RECURRENT] == "fails"
    assert [(one.verdict, one.trend) for one in judge([claim("B10")], found)] == [(DIFFERENT, "mixed")]


def test_a_version_that_nobody_knows_is_not_the_sources(tmp_path: Path) -> None:
    found = profiles(tmp_path, paths=whole(run(GDN, vllm_version=None)))
    assert not any(check.direct for check in checks("B10", found))


def test_a_cpu_is_other_conditions_at_any_version(tmp_path: Path) -> None:
    found = profiles(tmp_path, paths=whole(run(CPU, vllm_version="0.22.1")))
    assert [one.verdict for one in judge([claim("B10")], found)] == [DIFFERENT]


def test_few_iterations_tell_nothing(tmp_path: Path) -> None:
    of = run(GDN, vllm_version="0.22.1")
    rows = [path(of, "decode-only", "gdn-recurrent", 20, 20), path(of, "mixed", "gdn-chunked", 20, 20)]
    # All of 20 leave room for 17% that are not.
    assert {check.result for check in checks("B10", profiles(tmp_path, paths=rows))} == {"not told"}


def test_runs_of_a_group_are_added_whatever_their_arrivals(tmp_path: Path) -> None:
    rows = [row for burstiness in (1.0, 0.1) for row in whole(run(GDN, burstiness))]
    assert {check.interval.units for check in checks("B10", profiles(tmp_path, paths=rows))} == {400}


def test_a_run_counts_its_iterations_once_however_many_families_it_has(tmp_path: Path) -> None:
    rows = [*split(run(GDN)), path(run(GDN), "mixed", "gdn-other", 150)]
    assert {check.interval.units for check in checks("B10", profiles(tmp_path, paths=rows))} == {200}


def test_a_model_without_it_was_not_run(tmp_path: Path) -> None:
    found = profiles(tmp_path, paths=[path(run(A100), "mixed", "fa2-unpacked", 200)])
    assert [one.verdict for one in judge([claim("B10")], found)] == [NOT_RUN]
