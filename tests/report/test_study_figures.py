"""Figures of the whole study, on the page."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.figures import synthetic_tables as made
from tests.figures.made_regimes import regimes
from tests.report.test_page import TEMPLATES, Page

from burstlab.figures.registry import BY_NAME, WHOLE_STUDY
from burstlab.figures.write import write_figures
from burstlab.report.page import write_report

MAP = [BY_NAME["figR"]]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    cells = [made.cell(seed, b) for seed in range(3) for b in (1.0, 0.1)]
    regimes(made.write_tables(tmp_path / "tables", cells))
    made.write_records(tmp_path, cells)
    for kind in MAP:
        write_figures(kind.name, tmp_path / "tables", [WHOLE_STUDY], tmp_path / "figures" / kind.name)
    return tmp_path


def test_each_is_shown_once_with_its_words_and_numbers(results: Path) -> None:
    write_report("a study", results, [], TEMPLATES, results / "report.html", of_study=MAP)
    page = Page((results / "report.html").read_text())
    assert page.open == []
    assert len(page.all("img")) == len(MAP)
    assert {"href": "#study"} in page.all("a")
    for kind in MAP:
        assert f"Table behind {kind.label}" in page.text
        assert f"Published claims that it bears on: {', '.join(kind.claims)}" in page.text


def test_one_that_bears_on_no_published_claim_does_not_speak_of_any(results: Path) -> None:
    write_report(
        "a study", results, [], TEMPLATES, results / "report.html", of_study=[replace(MAP[0], claims=())]
    )
    page = Page((results / "report.html").read_text())
    assert len(page.all("img")) == 1
    assert "bears on" not in page.text


def test_a_page_without_them_has_no_such_section(results: Path) -> None:
    write_report("a study", results, [], TEMPLATES, results / "report.html")
    page = Page((results / "report.html").read_text())
    assert page.all("img") == []
    assert "The study as a whole" not in page.text
