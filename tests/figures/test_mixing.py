"""What exact batches and profiled runs say of an engine."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.exact_batches.test_effects import rows

from burstlab.figures.mixing import DECODES, PROMPTS, Spared, indices, spared_by
from burstlab.figures.tables import Tables
from burstlab.statistics.interval import Interval


def interval(low: float, high: float) -> Interval:
    return Interval((low + high) / 2, low, high, 8, "made")


@pytest.mark.parametrize(
    ("bounds", "cause"),
    [
        ([(0.2, 0.5), (1.0, 2.0)], DECODES),
        ([(-0.3, 0.05), (-0.2, 0.1)], PROMPTS),
        ([(0.11, 0.2)], DECODES),
        ([(0.09, 0.2)], None),
        ([(0.2, 0.5), (-0.2, 0.4)], DECODES),
        ([(-0.3, 0.05), (-0.2, 0.4)], None),
        ([(-10.0, 11.5)], None),  # of a machine that was busy with other things
    ],
)
def test_a_cause_is_named_where_the_intervals_tell_it(
    bounds: list[tuple[float, float]], cause: str | None
) -> None:
    assert Spared(tuple(interval(*one) for one in bounds)).cause == cause


def test_the_bounds_are_those_of_all_shapes() -> None:
    spared = Spared((interval(-0.3, 0.1), interval(0.2, 0.5)))
    assert (spared.low, spared.high) == (-0.3, 0.5)


def exact_batches(folder: Path, **changes: Any) -> Tables:
    made = [row for number in range(8) for row in rows(number, **changes)]
    pd.DataFrame(made).to_parquet(folder / "exact_batches.parquet")
    return Tables(folder)


def test_what_is_spared_is_read_for_each_engine(tmp_path: Path) -> None:
    found = spared_by(exact_batches(tmp_path))
    assert found.keys() == {("cpu", "m", "e")}
    assert found["cpu", "m", "e"].low == pytest.approx(0.6)


def test_batches_that_were_timed_without_two_prompts_say_nothing(tmp_path: Path) -> None:
    assert spared_by(exact_batches(tmp_path, packed=None)) == {}


def test_batches_that_other_programs_disturbed_say_nothing(tmp_path: Path) -> None:
    exact_batches(tmp_path)
    made = pd.read_parquet(tmp_path / "exact_batches.parquet").assign(others_share=0.3)
    made.to_parquet(tmp_path / "exact_batches.parquet")
    assert spared_by(Tables(tmp_path)) == {}


def test_another_studys_tables_say_nothing(tmp_path: Path) -> None:
    exact_batches(tmp_path)
    assert spared_by(Tables(tmp_path, left_out=["exact_batches"])) == {}
    assert indices(Tables(tmp_path)) == {}


RUN: dict[str, Any] = {
    "platform": "cpu", "model": "m", "engine": "e", "workload": "w", "rate": 6.0, "burstiness": 1.0, "failed_gates": "",
    "evidence": "measured",
    "per": "token", "part": "iteration", "index": 4.0, "low": 2.0, "high": 8.0, "blocks": 5,
}  # fmt: skip


def test_the_index_of_a_run_is_that_of_its_whole_iterations_for_a_token(tmp_path: Path) -> None:
    others = [{"part": "attention"}, {"per": "iteration"}, {"failed_gates": "attention-backend"}]
    made = [RUN, *(RUN | other | {"index": 9.0, "high": 10.0} for other in others)]
    pd.DataFrame(made).to_parquet(tmp_path / "interference.parquet")
    found = indices(Tables(tmp_path))
    assert found.keys() == {("cpu", "m", "e", "w", 6.0, 1.0)}
    one = found["cpu", "m", "e", "w", 6.0, 1.0]
    assert (one.estimate, one.low, one.high) == (4.0, 2.0, 8.0)


def test_the_index_of_several_runs_is_their_level(tmp_path: Path) -> None:
    made = [RUN | {"index": value} for value in (3.9, 4.0, 4.1)]
    pd.DataFrame(made).to_parquet(tmp_path / "interference.parquet")
    one = indices(Tables(tmp_path))["cpu", "m", "e", "w", 6.0, 1.0]
    assert one.units == 3
    assert 3.7 < one.low < 4.0 < one.high < 4.3
