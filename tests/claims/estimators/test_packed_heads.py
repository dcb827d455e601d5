from pathlib import Path

import pytest
from tests.claims.made import CPU, checks, claim
from tests.claims.made_profiles import A100, H200, path, profiles, run

from burstlab.claims.decide import CONTRADICTED, NOT_RUN, REPRODUCED
from burstlab.claims.judge import judge


def verdicts(name: str, folder: Path, rows: list[dict[str, object]]) -> list[str]:
    return [one.verdict for one in judge([claim(name)], profiles(folder, paths=rows))]


def test_version_2_packs_decode_only_iterations_alone(tmp_path: Path) -> None:
    of = run(A100)
    rows = [path(of, "decode-only", "fa2-packed", 200), path(of, "mixed", "fa2-unpacked", 200)]
    assert [check.interval.estimate for check in checks("B11", profiles(tmp_path, paths=rows))] == [
        1,
        0,
        0,
        1,
    ]
    assert verdicts("B11", tmp_path, rows) == [REPRODUCED]


def test_mixed_iterations_that_pack_too_contradict_it(tmp_path: Path) -> None:
    rows = [path(run(A100), kind, "fa2-packed", 200) for kind in ("decode-only", "mixed")]
    assert verdicts("B11", tmp_path, rows) == [CONTRADICTED]


def test_version_3_packs_in_both(tmp_path: Path) -> None:
    rows = [path(run(H200), kind, "fa3-packed", 200) for kind in ("decode-only", "mixed")]
    assert verdicts("B12", tmp_path, rows) == [REPRODUCED]


def test_version_3_that_does_not_contradicts_it(tmp_path: Path) -> None:
    of = run(H200)
    rows = [path(of, "decode-only", "fa3-packed", 200), path(of, "mixed", "fa3-unpacked", 200)]
    assert verdicts("B12", tmp_path, rows) == [CONTRADICTED]


@pytest.mark.parametrize("name", ["B11", "B12"])
@pytest.mark.parametrize("family", ["cpu-attention", "fa3", "fa2-combine"])
def test_kernels_that_do_not_tell_are_no_check(name: str, family: str, tmp_path: Path) -> None:
    assert verdicts(name, tmp_path, [path(run(CPU), "mixed", family, 200)]) == [NOT_RUN]


def test_one_version_says_nothing_of_the_other(tmp_path: Path) -> None:
    rows = [path(run(A100), "mixed", "fa2-unpacked", 200)]
    assert verdicts("B12", tmp_path, rows) == [NOT_RUN]
