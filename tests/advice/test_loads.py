import pytest
from tests.advice.made import MadeEngine, question

from burstlab.advice.loads import AtLoad, Turn, sweep, turns
from burstlab.statistics.interval import Interval

FALLS, RISES, EITHER = (
    Interval(sum(ends) / 2, *ends, 3, "made up") for ends in ((-0.4, -0.2), (0.1, 0.3), (-0.1, 0.1))
)


def rows(*changes: Interval) -> list[AtLoad]:
    return [AtLoad(number / 10, float(number), one, EITHER) for number, one in enumerate(changes, start=1)]


def test_the_answer_turns_between_two_rates_that_tell() -> None:
    assert turns(rows(RISES, RISES, EITHER, FALLS, RISES)) == [Turn(2.0, 4.0, -1), Turn(4.0, 5.0, 1)]


@pytest.mark.parametrize("changes", [(), (EITHER,), (RISES, EITHER, RISES), (FALLS, FALLS)])
def test_where_nothing_turns_there_is_no_turn(changes: tuple[Interval, ...]) -> None:
    assert turns(rows(*changes)) == []


def test_a_sweep_has_a_row_a_load() -> None:
    found = sweep(MadeEngine(), question(), 20.0, (0.25, 0.5))
    assert [(row.load, row.rate_per_s) for row in found] == [(0.25, 5.0), (0.5, 10.0)]
    assert found[0].tpot.units == 3
