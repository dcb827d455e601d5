"""Cells that are measured again are named, and what they are too many of is counted."""

from burstlab.session.again import again_lines
from burstlab.study.cells import Arrivals, Cell

CELLS = [Cell("cpu", "m", "eager", "short", 6.0, Arrivals.gamma(0.5), seed) for seed in range(8)]


def test_nothing_again_is_nothing_to_say() -> None:
    assert again_lines([]) == []


def test_cells_of_one_reason_share_a_line_and_three_are_named() -> None:
    first, second, third = (cell.id for cell in CELLS[:3])
    three = again_lines([(cell, "old") for cell in CELLS[:3]])
    assert three == [f"again: {first}, {second}, {third}: old"]
    five = again_lines([(cell, "old") for cell in CELLS[:5]])
    assert five == [f"again: {first}, {second}, {third} and 2 more: old"]


def test_many_reasons_are_cut_and_the_cells_of_the_others_counted() -> None:
    reasons = ["a", "b", "c", "d", "e", "f", "g", "a"]
    lines = again_lines(list(zip(CELLS, reasons, strict=True)))
    assert lines[0] == f"again: {CELLS[0].id}, {CELLS[7].id}: a"
    assert len(lines) == 6
    assert lines[-1] == "and 2 more, for 2 other reasons"
