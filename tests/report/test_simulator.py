"""The page's section on the simulator's errors, from a table whose medians can be seen at a glance."""

from pathlib import Path
from typing import Any

import pytest
from tests.simulator.validation.rows import row

from burstlab.report.page import environment
from burstlab.report.simulator import gather
from burstlab.simulator.validation.errors_table import write_table
from burstlab.simulator.validation.goals import COMPARED
from burstlab.simulator.validation.split import SEEDS, WORKLOADS

TEMPLATES = Path(__file__).parents[2] / "report"


def test_errors_are_told_with_their_interval_and_how_many_cells_meet_the_goal(tmp_path: Path) -> None:
    errors = [-0.01, 0.02, -0.04, 0.05, -0.06, -0.07, 0.02]
    write_table([row(number, "median_tpot_ms", error) for number, error in enumerate(errors)], tmp_path)
    found = gather(tmp_path, tmp_path)
    assert found is not None
    (part,) = found["parts"]
    (line,) = part.goals
    assert (part.model, part.split, part.cells, part.speeds) == ("tiny", SEEDS, 7, "1.10 to 1.10")
    assert (line.metric, line.bias, line.size, line.largest) == ("median TPOT", "−1.0%", "4.0%", "7.0%")
    # Of seven values it takes the outermost two to hold the median at 95%.
    assert (line.interval, line.at_own_speed) == ("1.0 to 7.0%", "2.0%")
    assert (line.goal, line.within, line.asked) == ("3.0%", 3, 7)
    assert found["right"] == ()
    assert found["wrong"] == (
        "tiny, other seeds, median TPOT: within 3.0% in 3 of 7 cells, typically off by 4.0%",
    )


def test_a_share_is_off_by_points_and_splits_are_kept_apart(tmp_path: Path) -> None:
    rows = [
        row(0, "decode_only_token_share", 0.012),
        row(1, "decode_only_token_share", -0.05, split=WORKLOADS),
    ]
    write_table(rows, tmp_path)
    found = gather(tmp_path, tmp_path)
    assert found is not None
    assert [(part.split, part.goals[0].bias) for part in found["parts"]] == [
        (SEEDS, "+1.2 points"),
        (WORKLOADS, "−5.0 points"),
    ]
    assert (len(found["right"]), len(found["wrong"])) == (1, 1)
    assert [(worst.split, worst.error) for worst in found["worst"]] == [
        (WORKLOADS, "−5.0 points"),
        (SEEDS, "+1.2 points"),
    ]


def test_where_the_load_is_not_known_no_goal_is_asked_for(tmp_path: Path) -> None:
    write_table([row(0, "mean_e2el_ms", 0.2, load=None)], tmp_path)
    found = gather(tmp_path, tmp_path)
    assert found is not None
    assert found["parts"][0].goals[0].within is None
    assert found["right"] == found["wrong"] == ()


def rendered(simulator: dict[str, Any] | None) -> str:
    template = "{% import 'macros.html.j2' as show %}{% include 'simulator.html.j2' %}"
    return environment(TEMPLATES).from_string(template).render(simulator=simulator)


def test_the_section_shows_both_kinds_of_evidence_and_escapes_names(tmp_path: Path) -> None:
    rows = [{**row(0, metric.metric, 0.01), "model": "<b>tiny</b>"} for metric in COMPARED]
    write_table(rows, tmp_path)
    html = rendered(gather(tmp_path, tmp_path))
    assert '<span class="badge simulated">simulated</span>' in html
    assert '<span class="badge measured">measured</span>' in html
    assert "&lt;b&gt;tiny&lt;/b&gt;, other seeds" in html
    assert "<b>tiny" not in html
    assert html.count("<td>1 of 1<span") == 4


@pytest.mark.parametrize("rows", [None, []])
def test_a_study_without_it_says_so(tmp_path: Path, rows: list[dict[str, Any]] | None) -> None:
    if rows is not None:
        write_table(rows, tmp_path)
    assert "Not known" in rendered(gather(tmp_path, tmp_path))
