"""What the one who waits for a session sees."""

import io

from burstlab.session.console import Console
from burstlab.study.cells import Arrivals, Cell

CELLS = [Cell("cpu", "m", "eager", "short", 6.0, Arrivals.gamma(0.5), seed) for seed in range(8)]


def lines_of(stream: io.StringIO) -> list[str]:
    return stream.getvalue().splitlines()


def test_a_line_a_cell_counts_finished_and_failed_ones() -> None:
    stream = io.StringIO()
    console = Console(stream, "cpu--m--eager")
    console.begin([(cell, "") for cell in CELLS[:2]], {CELLS[0]: 12.0, CELLS[1]: 60.0})
    console.tell("the engine is ready after 48.2 s")
    console.measured(CELLS[0], 12.46)
    console.failed(CELLS[1], "all requests failed\nthe engine's last lines: …")
    assert lines_of(stream) == [
        "cpu--m--eager: 2 cells to measure",
        "cpu--m--eager: the engine is ready after 48.2 s",
        f"[1/2] {CELLS[0].id}  12.5 s  (about 70 s left)",
        f"[2/2] {CELLS[1].id}  FAILED: all requests failed",
    ]


def test_profiled_runs_are_called_so() -> None:
    stream = io.StringIO()
    Console(stream, "s", "profiled run").begin([(cell, "") for cell in CELLS[:2]], {})
    assert lines_of(stream) == ["s: 2 profiled runs to measure"]


def test_a_cell_that_does_not_count_is_told_with_its_gates() -> None:
    stream = io.StringIO()
    console = Console(stream, "s")
    console.begin([(cell, "") for cell in CELLS[:2]], dict.fromkeys(CELLS[:2], 0.0))
    console.measured(CELLS[0], 12.0, ["client-punctual", "steady"])
    console.measured(CELLS[1], 12.0, [])
    assert lines_of(stream)[1:] == [
        f"[1/2] {CELLS[0].id}  12.0 s  EXCLUDED by client-punctual, steady  (about 20 s left)",
        f"[2/2] {CELLS[1].id}  12.0 s",
    ]


def test_cells_that_are_measured_again_are_named_a_line_a_reason() -> None:
    stream = io.StringIO()
    todo = [(CELLS[0], ""), (CELLS[1], "damaged"), (CELLS[2], "old"), (CELLS[3], "old")]
    Console(stream, "s").begin(todo, {})
    assert lines_of(stream) == [
        "s: 4 cells to measure, 3 of them again",
        f"  again: {CELLS[2].id}, {CELLS[3].id}: old",
        f"  again: {CELLS[1].id}: damaged",
    ]
