"""What the sweep says where it is known what to expect."""

from typing import Any

import pytest

from burstlab.simulator.regimes.setup import Setup
from burstlab.simulator.regimes.sweep import SCHEMA, Grid, sweep

SMALL = Setup(requests=250)


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, float, float], dict[str, Any]]:
    """By family, knob and load."""
    table = sweep(SMALL, Grid(knobs={"decodes": (1, 8), "prompts": (16,)}, loads=(0.1, 0.6), seeds=5))
    assert table.schema.equals(SCHEMA)
    return {(row["family"], row["knob"], row["load"]): row for row in table.to_pylist()}


def test_where_decodes_cost_no_more_beside_prompts_bursts_do_not_lower_tpot(rows: Any) -> None:
    for load in (0.1, 0.6):
        assert rows["decodes", 1.0, load]["tpot_change_low"] > 0


def test_where_they_cost_eight_times_as_much_bursts_lower_tpot_at_a_high_load(rows: Any) -> None:
    assert rows["decodes", 8.0, 0.6]["tpot_change_high"] < 0


def test_dear_prompts_alone_do_not_make_bursts_help(rows: Any) -> None:
    row = rows["prompts", 16.0, 0.6]
    assert row["ratio"] > rows["decodes", 8.0, 0.6]["ratio"]
    assert row["tpot_change_low"] > 0


def test_bursts_raise_the_decode_only_share_either_way(rows: Any) -> None:
    assert all(row["share_change_low"] > 0 for (_, _, load), row in rows.items() if load == 0.6)


def test_the_same_arrivals_on_both_sides_change_nothing() -> None:
    grid = Grid(knobs={"decodes": (4,), "prompts": (4,)}, loads=(0.5,), seeds=3, bursty=1.0)
    for row in sweep(SMALL, grid).to_pylist():
        changes = [row[name] for name in SCHEMA.names if "_change" in name]
        assert changes == [0.0] * 9


def test_the_same_sweep_gives_the_same_rows() -> None:
    grid = Grid(knobs={"decodes": (2,), "prompts": ()}, loads=(0.5,), seeds=2)
    assert sweep(SMALL, grid).equals(sweep(SMALL, grid))
