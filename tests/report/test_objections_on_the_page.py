"""What gates of comparisons object to, and what no gate could judge, is on the page."""

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.figures import synthetic_tables as made

from burstlab.report.context import gather
from burstlab.report.page import render

TEMPLATES = Path(__file__).parents[2] / "report"
CELLS = [made.cell(seed, b) for seed in range(3) for b in (1.0, 0.1)]


def text_of(results: Path, **columns: list[Any]) -> str:
    """The page's text without tags; `columns` are more columns of the table of cells, by cell in order of their names."""
    made.write_tables(results / "tables", CELLS)
    made.write_records(results, CELLS)
    path = results / "tables" / "cells.parquet"
    table = pq.read_table(path)
    for name, values in columns.items():
        table = table.append_column(name, pa.array(values))
    pq.write_table(table, path)
    page = render(gather("a study", results, [CELLS[0]["group"]], results, figures=()), TEMPLATES)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))


@pytest.fixture
def versions() -> list[str]:
    """Cells sort by burstiness first: three at 0.1, three at 1."""
    return 3 * ["0.33.0"] + 3 * ["0.22.1"]


def test_arms_on_two_versions_are_named_and_give_no_finding(tmp_path: Path, versions: list[str]) -> None:
    text = text_of(tmp_path, vllm_version=versions)
    assert "cpu · tiny-gqa · eager · random-128-32same-engine-versionfailedvLLM 0.22.1, 0.33.0" in text
    assert "Median TPOT fell from" not in text
    assert "no finding, for not only the bursts were different: same-engine-version" in text


def test_cells_with_gates_that_nobody_could_judge_are_counted(tmp_path: Path) -> None:
    text = text_of(tmp_path, unjudged_gates=["no-steal,log-complete", "no-steal", "", "", "", ""])
    assert "2 cells of the 6 that count rest on gates that nobody could judge." in text
    assert "no-steal (2), log-complete (1)." in text


def test_where_all_is_well_the_page_says_so(tmp_path: Path) -> None:
    text = text_of(tmp_path, vllm_version=6 * ["0.33.0"], on_gpu=6 * [False])
    assert "Asked of 1 comparison of arms of burstiness, 1 comparison of kinds of iteration" in text
    assert "No gate objects to any." in text
    assert "every gate that applies to a counted cell was judged" in text
