"""Times made by hand, in which the extra is known."""

from typing import Any

import pandas as pd
import pytest

from burstlab.exact_batches.effects import APART, OFF_PATH, TOGETHER, TWICE, Effect, effects

# In ms. Together they take 4 more than apart, which is 40% of the decodes' 10; padded, decodes take 15, half as much again. Two
# mixed iterations take 228, one with both prompts and one of decodes alone 212 + 10: 6 less.
ARMS = {"decode": 10.0, "chunk": 100.0, "mixed": 114.0, "split": 110.0, "packed": 212.0, "padded": 15.0}


def rows(repetition: int, factor: float = 1.0, **changes: Any) -> list[dict[str, Any]]:
    common = {"platform": "cpu", "model": "m", "engine": "e", "evidence": "measured", "by": "hand"}
    shape = {
        "decodes": 2,
        "context_tokens": 100,
        "chunk_tokens": 30,
        "vllm_version": "0.32.0",
        "others_share": 0.01,
    }
    times = {**ARMS, **changes}
    return [
        {
            **common,
            **shape,
            "arm": arm,
            "repetition": repetition,
            "part": "forward",
            "ms": ms * factor,
            "why": None,
        }
        for arm, ms in times.items()
        if ms is not None
    ]


def found(*repetitions: list[dict[str, Any]]) -> dict[str, Effect]:
    table = pd.DataFrame([row for some in repetitions for row in some])
    return {one.name: one for one in effects(table)}


def test_the_extra_is_in_units_of_the_decodes_alone() -> None:
    every = found(*(rows(number) for number in range(8)))
    for name, extra in ((TOGETHER, 0.4), (APART, 0.0), (TWICE, 0.6), (OFF_PATH, 0.5)):
        interval = every[name].interval
        assert interval is not None
        assert (interval.estimate, interval.low, interval.high) == pytest.approx((extra, extra, extra))
        assert interval.units == 8


def test_a_machine_that_slows_down_changes_nothing() -> None:
    interval = found(*(rows(number, factor=1 + number) for number in range(8)))[TOGETHER].interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((0.4, 0.4))


def test_one_interruption_among_many_changes_the_median_by_nothing() -> None:
    interval = found(rows(0, decode=900.0), *(rows(number) for number in range(1, 12)))[TOGETHER].interval
    assert interval is not None
    assert interval.estimate == pytest.approx(0.4)


def test_too_few_repetitions_have_no_interval() -> None:
    assert found(*(rows(number) for number in range(5)))[TOGETHER].interval is None


def test_what_is_simulated_is_exact_after_one_repetition() -> None:
    one = [row | {"evidence": "simulated"} for row in rows(0)]
    interval = found(one)[TWICE].interval
    assert interval is not None
    assert (interval.low, interval.estimate, interval.high, interval.units) == pytest.approx(
        (0.6, 0.6, 0.6, 0)
    )


def test_an_arm_that_was_not_timed_has_no_effect() -> None:
    every = found(*(rows(number, split=None) for number in range(8)))
    assert every.keys() == {TOGETHER, TWICE, OFF_PATH}


def test_without_times_there_is_none() -> None:
    nothing = {**rows(0)[0], "arm": None, "repetition": None, "part": None, "ms": None}
    assert list(effects(pd.DataFrame([nothing]))) == []


def test_a_part_that_decodes_do_not_have_is_left_out() -> None:
    assert found(*(rows(number, decode=0.0) for number in range(8))) == {}


def test_what_is_simulated_in_two_calls_is_0_whatever_ms_leave_over() -> None:
    one = [row | {"evidence": "simulated"} for row in rows(0, decode=0.1, chunk=0.2, split=0.1 + 0.2)]
    interval = found(one)[APART].interval
    assert interval is not None
    assert interval.estimate == 0


@pytest.mark.parametrize(("share", "disturbed"), [(0.05, False), (0.06, True), (None, False)])
def test_more_than_a_twentieth_of_the_cores_disturbs(share: float | None, disturbed: bool) -> None:
    every = found(*([row | {"others_share": share} for row in rows(number)] for number in range(8)))
    assert {one.disturbed for one in every.values()} == {disturbed}
