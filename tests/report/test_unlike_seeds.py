"""Where means are of unlike seeds, and so differ from what findings compare, the page says why."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.figures import synthetic_tables as made

from burstlab.report.context import gather
from burstlab.report.page import render

TEMPLATES = Path(__file__).parents[2] / "report"
ALIKE = [made.cell(seed, b) for seed in range(3) for b in (1.0, 0.1)]
EXCLUDED = made.cell(3, 0.1, failed_gates="lateness")


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        pytest.param([*ALIKE, EXCLUDED], False, id="one more was excluded"),
        pytest.param([*ALIKE, made.cell(3, 1.0), EXCLUDED], True, id="a seed counts on one side alone"),
    ],
)
def test_it_is_said_where_it_is_so(cells: list[dict[str, Any]], said: bool, tmp_path: Path) -> None:
    made.write_tables(tmp_path / "tables", cells)
    made.write_records(tmp_path, cells)
    page = render(gather("a study", tmp_path, [cells[0]["group"]], tmp_path, figures=()), TEMPLATES)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    assert ("Not all arrivals have the same counted seeds here." in text) is said
