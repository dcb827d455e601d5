"""The idealised costs, by hand."""

from tests.simulator.made import Ticks

from burstlab.simulator.regimes.family import Scaled

BASE = Ticks(base=10, decode_token=2, prompt_token=1)
CHUNKS = [(30, 0)]


def test_decode_only_iterations_are_those_of_the_base() -> None:
    assert Scaled(BASE, 4.0, 3.0).decode(5, 100) == BASE.decode(5, 100)


def test_with_both_factors_at_1_mixed_ones_are_too() -> None:
    assert Scaled(BASE).mixed(5, 100, CHUNKS) == BASE.mixed(5, 100, CHUNKS) == 10 + 2 * 5 + 30


def test_a_decode_costs_so_many_times_as_much_beside_prompts() -> None:
    assert Scaled(BASE, decode_factor=3).mixed(5, 100, CHUNKS) == 3 * 20 + 30


def test_prompts_take_so_many_times_as_long() -> None:
    assert Scaled(BASE, prompt_factor=3).mixed(5, 100, CHUNKS) == 20 + 3 * 30


def test_where_nothing_decodes_nothing_is_dearer_beside_prompts() -> None:
    assert Scaled(BASE, decode_factor=3).mixed(0, 0, CHUNKS) == BASE.mixed(0, 0, CHUNKS)
