"""Every figure, whatever the tables hold."""

import math
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
from tests.figures import synthetic_tables as made

from burstlab.errors import BurstlabError
from burstlab.figures.registry import CELL_FIGURES, FigureKind, group_slug
from burstlab.figures.tables import Tables
from burstlab.figures.write import csv_text, render, write_figures

GROUP = ("cpu", "tiny-gqa", "eager", "random-128-32")
every_figure = pytest.mark.parametrize("kind", CELL_FIGURES, ids=lambda kind: kind.name)


def texts(svg: bytes) -> str:
    """All text of a picture; raises where it is not well-formed XML."""
    root = ElementTree.fromstring(svg)  # noqa: S314 (our own output)
    return "\n".join(element.text or "" for element in root.iter() if element.tag.endswith("}text"))


def rendered(kind: FigureKind, folder: Path, cells: list[dict[str, object]]) -> tuple[pd.DataFrame, str]:
    frame, svg = render(kind, Tables(made.write_tables(folder, cells)), GROUP)
    return frame, texts(svg)


@every_figure
def test_the_same_tables_give_the_same_bytes(kind: FigureKind, tmp_path: Path) -> None:
    tables = made.write_tables(tmp_path / "tables", made.small_study())
    for folder in ("first", "second"):
        write_figures(kind.name, tables, [GROUP], tmp_path / folder)
    for suffix in (".svg", ".csv"):
        name = group_slug(GROUP) + suffix
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


@every_figure
def test_order_of_cells_in_the_tables_does_not_matter(kind: FigureKind, tmp_path: Path) -> None:
    study = made.small_study()
    first = Tables(made.write_tables(tmp_path / "a", study))
    second = Tables(made.write_tables(tmp_path / "b", study))
    cells = pd.read_parquet(tmp_path / "b" / "cells.parquet")
    cells.iloc[::-1].to_parquet(tmp_path / "b" / "cells.parquet")
    one, other = render(kind, first, GROUP), render(kind, second, GROUP)
    assert csv_text(one[0]) == csv_text(other[0])
    assert one[1] == other[1]


@every_figure
def test_a_figure_names_its_group_and_evidence_in_real_text(kind: FigureKind, tmp_path: Path) -> None:
    _, text = rendered(kind, tmp_path, made.small_study())
    assert "cpu · tiny-gqa · eager · random-128-32" in text
    assert "\nmeasured" in f"\n{text}"
    assert kind.title in text


@every_figure
def test_simulated_cells_are_called_simulated_and_drawn_hollow(kind: FigureKind, tmp_path: Path) -> None:
    cells = [made.cell(seed, evidence="simulated") for seed in range(2)]
    _, svg = render(kind, Tables(made.write_tables(tmp_path, cells)), GROUP)
    assert "simulated" in texts(svg)
    assert "Measured" not in texts(svg)
    drawn = svg.decode()
    assert "stroke-dasharray" in drawn
    assert "fill: #ffffff" in drawn


@every_figure
@pytest.mark.parametrize(
    "cells",
    [
        pytest.param([made.cell()], id="one cell"),
        pytest.param([made.cell(seed) for seed in range(3)], id="one burstiness"),
        pytest.param([made.cell(0, b) for b in (math.inf, 1.0, 0.1)], id="one seed, constant arrivals"),
        pytest.param(
            [made.cell(kinds=("decode-only",)), made.cell(1, kinds=("decode-only",))], id="no mixed"
        ),
        pytest.param([made.cell(kinds=("prefill-only",))], id="no token generated"),
        pytest.param([made.cell(0, None, trace="azure-conv")], id="only a trace"),
        pytest.param([made.cell(failed_gates="lateness")], id="only an excluded cell"),
        pytest.param(
            [made.cell(evidence="measured"), made.cell(1, evidence="simulated")], id="both evidences"
        ),
        pytest.param([made.cell(0, b, r) for b in (1.0, 0.1) for r in (1, 5, 10, 40)], id="many rates"),
    ],
)
def test_thin_studies_are_drawn(kind: FigureKind, cells: list[dict[str, object]], tmp_path: Path) -> None:
    frame, text = rendered(kind, tmp_path, cells)
    assert kind.title in text
    assert kind.module().note(frame)


@every_figure
def test_cells_that_all_failed_leave_a_panel_that_says_why(kind: FigureKind, tmp_path: Path) -> None:
    cells = [made.cell(seed, fails=True, failed_gates="requests") for seed in range(2)]
    _, text = rendered(kind, tmp_path, cells)
    assert "Nothing to draw" in text.replace("\n", " ")


@every_figure
@pytest.mark.parametrize("cells", [[made.cell(rate=math.inf)], [made.cell(group=("h200", "x", "y", "z"))]])
def test_capacity_probes_and_other_groups_are_not_drawn(
    kind: FigureKind, cells: list[dict[str, object]], tmp_path: Path
) -> None:
    frame, text = rendered(kind, tmp_path, cells)
    assert len(frame) == 0
    assert "Nothing to draw" in text.replace("\n", " ")


@every_figure
def test_an_excluded_cell_stays_visible(kind: FigureKind, tmp_path: Path) -> None:
    cells = [made.cell(0), made.cell(1), made.cell(2, failed_gates="lateness")]
    frame, text = rendered(kind, tmp_path, cells)
    assert "excluded" in text
    assert "excluded" in kind.module().note(frame) or kind.name == "figA1"


@every_figure
def test_hostile_names_are_only_text(kind: FigureKind, tmp_path: Path) -> None:
    group = ("cpu", "<b>$x$&", "a\"b'c", "</svg><script>alert(1)</script>")
    tables = Tables(made.write_tables(tmp_path, [made.cell(group=group)]))
    _, svg = render(kind, tables, group)
    assert "<b>$x$&" in texts(svg)
    assert b"<script" not in svg


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"cells\.parquet: no such study table"):
        write_figures("fig1", tmp_path, [GROUP], tmp_path / "out")


def test_the_registry_loads_no_drawing_library() -> None:
    heavy = {"matplotlib", "seaborn", "pandas"}
    check = f"import sys, burstlab.figures.registry; assert not {heavy} & set(sys.modules)"
    path = str(Path(__file__).parents[2] / "workflow")
    subprocess.run([sys.executable, "-c", check], check=True, env={"PYTHONPATH": path})


def test_drawing_leaves_the_settings_of_matplotlib_alone(tmp_path: Path) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    rendered(CELL_FIGURES[0], tmp_path, [made.cell()])
    assert dict(matplotlib.rcParams) == before
