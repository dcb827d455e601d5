import pytest
from tests.advice.made import question

from burstlab.advice.engines import RooflineEngine
from burstlab.advice.paths import Asked, setup_of
from burstlab.advice.sensitivity import RANGES, loads_off, swings
from burstlab.simulator.costs.roofline.constants import CONSTANTS

FA2 = RooflineEngine(setup_of(Asked("llama-3.1-8b", "h200", attention="FA2")))
FA3 = RooflineEngine(setup_of(Asked("llama-3.1-8b", "h200")))


def test_each_assumed_constant_has_a_range_around_its_value() -> None:
    assumed = {name for name, constant in CONSTANTS.items() if constant.source.startswith("assumed")}
    assert assumed <= RANGES.keys() <= CONSTANTS.keys()
    assert all(span.low <= 1 <= span.high and span.low < span.high for span in RANGES.values())


def test_only_constants_that_the_engine_uses_are_varied() -> None:
    of_fa2, of_fa3 = ({one.what for one in swings(engine, question(requests=20))} for engine in (FA2, FA3))
    assert of_fa2 - of_fa3 == {"fa2.rereads"}
    assert {"pause.iteration", "hbm.share"} <= of_fa3
    assert not {"allreduce.latency", "fla.share", "launch.eager"} & (of_fa3 - {"launch.eager"})


def test_the_widest_comes_first() -> None:
    widths = [one.width for one in swings(FA3, question(requests=20))]
    assert widths == sorted(widths, reverse=True)


def test_varying_a_constant_leaves_the_engine_as_it_was() -> None:
    before = FA2.probe()
    assert FA2.with_factors({"fa2.rereads": 0.25}).probe() != before
    assert FA2.probe() == before


def test_the_load_is_varied_around_the_rate() -> None:
    found = loads_off(FA3, question(requests=20))
    assert [one.factor for one in found] == [0.8, 0.9, 1.1, 1.2]
    assert len({one.tpot.estimate for one in found}) == 4
    assert found[0].tpot.estimate == pytest.approx(loads_off(FA3, question(requests=20))[0].tpot.estimate)
