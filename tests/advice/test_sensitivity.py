from tests.advice.made import question

from burstlab.advice.compare import compare
from burstlab.advice.engines import RooflineEngine
from burstlab.advice.paths import Asked, setup_of
from burstlab.advice.sensitivity import RANGES, Swing, Varied, loads_off, swings
from burstlab.simulator.costs.roofline.constants import CONSTANTS
from burstlab.statistics.interval import Interval

FA2 = RooflineEngine(setup_of(Asked("llama-3.1-8b", "h200", attention="FA2")))
NONE = Interval(0.0, -0.1, 0.1, 2, "made up")
FA3 = RooflineEngine(setup_of(Asked("llama-3.1-8b", "h200")))


def test_each_assumed_constant_has_a_range_around_its_value() -> None:
    assumed = {name for name, constant in CONSTANTS.items() if constant.source.startswith("assumed")}
    assert assumed <= RANGES.keys() <= CONSTANTS.keys()
    assert all(span.low <= 1 <= span.high and span.low < span.high for span in RANGES.values())


def test_only_constants_that_the_engine_uses_are_varied() -> None:
    of_fa2, of_fa3 = (
        {one.what for one in swings(engine, question(requests=20), NONE, 0.5)} for engine in (FA2, FA3)
    )
    assert of_fa2 - of_fa3 == {"fa2.rereads"}
    assert {"pause.iteration", "hbm.share"} <= of_fa3
    assert not {"allreduce.latency", "fla.share", "memory.workspace"} & of_fa3


def test_the_size_of_memory_is_varied_where_it_was_full() -> None:
    assert "memory.workspace" in {one.what for one in swings(FA3, question(requests=20), NONE, 1.0)}


def test_a_constant_that_turns_back_within_its_range_swings_as_far_as_it_went() -> None:
    ends = [
        Varied("x", factor, Interval(change, change, change, 2, ""))
        for factor, change in ((0.5, 0.1), (2.0, 0.2))
    ]
    assert Swing("x", "µs", 1.0, *ends, Interval(-0.3, -0.3, -0.3, 2, ""), "made up").width == 0.5


def test_the_widest_comes_first() -> None:
    widths = [one.width for one in swings(FA3, question(requests=20), NONE)]
    assert widths == sorted(widths, reverse=True)


def test_varying_a_constant_leaves_the_engine_as_it_was() -> None:
    before = FA2.probe()
    assert FA2.with_factors({"fa2.rereads": 0.25}).probe() != before
    assert FA2.probe() == before


def test_the_load_is_varied_around_the_rate() -> None:
    asked = question(requests=20)
    as_given = compare(FA3, asked)
    found = loads_off(FA3, asked, as_given)
    assert [one.factor for one in found] == [0.8, 0.9, 1.0, 1.1, 1.2]
    assert found[2].tpot == as_given.change("mean", "tpot")
    assert found[0].tpot == compare(FA3, question(8.0, requests=20)).change("mean", "tpot")
