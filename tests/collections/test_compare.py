import shutil
from pathlib import Path

import pytest

from burstlab import cli
from burstlab.collections.compare import compare
from burstlab.collections.manifest import write_manifest
from burstlab.figures.registry import CELL_FIGURES

RECORD = "cells/xeon/tiny/eager/talk/rate-1/burst-1/seed-0/cell.json"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study's folder whose figures are those of its one collection; they are no drawings, but files."""
    folder = tmp_path / "collections/shipped"
    (folder / RECORD).parent.mkdir(parents=True)
    (folder / RECORD).write_text("{}")
    for kind in CELL_FIGURES:
        for suffix in (".svg", ".csv"):
            path = folder / "figures" / kind.name / f"xeon--tiny--eager--talk{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("one\ntwo\n")
    write_manifest(
        folder,
        name="shipped",
        title="t",
        origin="o",
        evidence=["measured"],
        versions={},
        hardware=[],
        git_commit=None,
    )
    shutil.copytree(folder / "figures", tmp_path / "results/figures")
    (tmp_path / "study.yaml").write_text("{name: shipped, mode: cached, collections: [shipped]}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_same_figures_are_one_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compare", "--config", "study.yaml"]) == 0
    files = 2 * len(CELL_FIGURES)
    assert capsys.readouterr().out == (
        f"all {files} files of figures (SVG and CSV) are byte for byte those of collections/shipped\n"
    )


def test_each_difference_is_a_line_and_fails(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = root / "results/figures"
    (drawn / "fig1/xeon--tiny--eager--talk.svg").write_text("one\n2\n")
    (drawn / "fig2/xeon--tiny--eager--talk.csv").unlink()
    (root / "collections/shipped/figures/fig3/xeon--tiny--eager--talk.csv").unlink()
    (drawn / "fig4/xeon--tiny--eager--talk.csv").write_text("one\ntwo\nthree\n")
    assert cli.main(["compare", "--config", "study.yaml"]) == 1
    said = capsys.readouterr().out
    assert f"4 of {2 * len(CELL_FIGURES)} files" in said
    assert "fig1/xeon--tiny--eager--talk.svg: differs from line 2 on" in said
    assert "fig2/xeon--tiny--eager--talk.csv: was not drawn" in said
    assert "fig3/xeon--tiny--eager--talk.csv: the collection came without it" in said
    assert "fig4/xeon--tiny--eager--talk.csv: differs in length" in said


def test_a_study_of_another_group_is_not_compared(root: Path) -> None:
    other = root / "results/figures/fig1/cpu--tiny--eager--talk.svg"
    other.write_text("mine")
    assert compare(root / "collections/shipped", root / "results").differences == []
