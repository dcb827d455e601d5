"""Figure V, from a few errors."""

import re
from pathlib import Path

from tests.simulator.validation.rows import row

from burstlab.figures.registry import BY_NAME, STUDY_FIGURES, WHOLE_STUDY
from burstlab.figures.tables import Tables
from burstlab.figures.write import render
from burstlab.simulator.validation.errors_table import write_table
from burstlab.simulator.validation.split import WORKLOADS

KIND = BY_NAME["figV"]


def test_it_is_drawn_once_for_the_whole_study() -> None:
    assert KIND in STUDY_FIGURES


def test_metrics_with_a_goal_are_drawn_each_cell_once_a_split(tmp_path: Path) -> None:
    rows = [row(seed, "median_tpot_ms", seed / 100) for seed in range(3)]
    rows += [row(0, "median_tpot_ms", -0.2, split=WORKLOADS), row(0, "p99_tpot_ms", 0.5)]
    write_table(rows, tmp_path)
    frame, svg = render(KIND, Tables(tmp_path), WHOLE_STUDY)
    assert frame["error"].tolist() == [0.0, 0.01, 0.02, -0.2]
    assert set(frame["evidence"]) == {"simulated"}
    assert set(frame["held_against"]) == {"measured"}
    text = svg.decode()
    assert "tiny, other seeds" in text
    assert "tiny, other workloads" in text
    assert "3 measured cells" in text
    assert re.search(r">simulated</text>", text)
    # Mean E2EL, median TTFT and the share have no row here.
    assert text.count("No measured cell was predicted") == 3
    assert render(KIND, Tables(tmp_path), WHOLE_STUDY)[1] == svg


def test_a_study_without_predicted_cells_says_so(tmp_path: Path) -> None:
    write_table([], tmp_path)
    frame, svg = render(KIND, Tables(tmp_path), WHOLE_STUDY)
    assert frame.empty
    assert svg.decode().count("No measured cell was predicted") == 4
