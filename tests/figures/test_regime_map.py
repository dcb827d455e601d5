"""Figure R: what it takes from the tables, and what it says of it."""

import io
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from tests.exact_batches.test_effects import rows as exact_rows
from tests.figures import synthetic_tables as made
from tests.figures.made_regimes import regimes
from tests.figures.test_mixing import RUN

from burstlab.figures.figr import data, draw, note
from burstlab.figures.registry import BY_NAME, STUDY_FIGURES, WHOLE_STUDY
from burstlab.figures.tables import Tables
from burstlab.figures.write import csv_text, render, write_figures

KIND = BY_NAME["figR"]
GROUP = ("cpu", "tiny-gqa", "eager", "random-128-32")


def tables(folder: Path, cells: list[dict[str, object]]) -> Tables:
    regimes(folder)
    return Tables(made.write_tables(folder, cells))


def three_seeds(**more: object) -> list[dict[str, object]]:
    return [made.cell(seed, b, **more) for seed in range(3) for b in (1.0, 0.1)]  # type: ignore[arg-type]


def test_it_is_a_figure_of_the_whole_study() -> None:
    assert KIND in STUDY_FIGURES


def test_published_numbers_are_those_of_the_ledger(tmp_path: Path) -> None:
    frame = data(tables(tmp_path, [made.cell()]))
    rows = frame[frame["mark"] == "published"].set_index("metric")
    assert rows.loc["tpot", "ratio"] == pytest.approx(156.98 / 26.05)
    assert rows.loc["tpot", "change"] == -0.57
    assert rows["load"].isna().all()


def test_a_comparison_of_cells_is_a_point_with_its_interval(tmp_path: Path) -> None:
    found = tables(tmp_path, [*three_seeds(), made.cell(rate=float("inf"))])
    rows = data(found).query("mark == 'cells' and metric == 'tpot'")
    assert len(rows) == 1
    row = rows.iloc[0]
    steady = found.cells.query("burstiness == 1.0 and rate == 10")
    assert row["load"] == pytest.approx(10 / 15)
    assert row["ratio"] == pytest.approx(
        (steady["mean_mixed_ms"] / steady["mean_decode_only_ms"]).mean(), rel=0.01
    )
    assert row["low"] < row["change"] < row["high"] < 0  # the made-up TPOT falls with burstiness
    assert row["seeds"] == 3


def test_excluded_cells_and_single_seeds_are_no_point(tmp_path: Path) -> None:
    cells = [*three_seeds(failed_gates="lateness"), made.cell(7, 1.0), made.cell(7, 0.1)]
    frame = data(tables(tmp_path, cells))
    assert frame.query("mark == 'cells'").empty
    assert "No comparison of cells has an interval" in note(frame)


def test_measured_simulated_and_published_are_all_named(tmp_path: Path) -> None:
    cells = three_seeds() + three_seeds(group=("h200", "m", "fa2", "w"), evidence="simulated")
    cells += [made.cell(rate=float("inf")), made.cell(rate=float("inf"), group=("h200", "m", "fa2", "w"))]
    frame, svg = render(KIND, tables(tmp_path, cells), WHOLE_STUDY)
    text = svg.decode()
    for words in (
        "measured + published + simulated",
        "cells, measured",
        "cells, simulated",
        "published: qwen3.5-9b",
    ):
        assert words in text
    assert len(frame.query("mark == 'cells'")) == 4


def test_a_point_without_load_is_in_the_numbers_and_said_to_be_missing(tmp_path: Path) -> None:
    cells = [one | {"rate": 10.0} for one in three_seeds()]
    folder = made.write_tables(tmp_path, cells)
    regimes(folder)
    stored = pd.read_parquet(folder / "cells.parquet").assign(load=None)
    stored.astype({"load": float}).to_parquet(folder / "cells.parquet")
    frame, _ = render(KIND, Tables(folder), WHOLE_STUDY)
    assert "1 not drawn since their load is not known" in note(frame)


def with_exact_batches(folder: Path, **changes: Any) -> Tables:
    """Three seeds of cells, whose engine has exact batches."""
    found = tables(folder, [*three_seeds(), made.cell(rate=float("inf"))])
    platform, model, engine, _ = GROUP
    names = {"platform": platform, "model": model, "engine": engine}
    batches = [row | names for number in range(8) for row in exact_rows(number, **changes)]
    pd.DataFrame(batches).to_parquet(found.folder / "exact_batches.parquet")
    return found


@pytest.mark.parametrize(("packed", "cause"), [(212.0, "decodes"), (218.0, "prompts")])
def test_exact_batches_say_in_which_column_cells_belong(packed: float, cause: str, tmp_path: Path) -> None:
    # Two mixed iterations take 2·114, decodes alone 10: 0.6 or 0.0 of an iteration of decodes is spared.
    frame = data(with_exact_batches(tmp_path, packed=packed))
    rows = frame.query("mark == 'cells'")
    assert set(rows["cause"]) == {cause}
    assert rows["spared_low"].tolist() == pytest.approx([(228 - packed - 10) / 10] * 2)
    assert "Exact batches say in which column 1 of them belong" in note(frame)


def test_cells_of_a_known_cause_are_drawn_in_one_column(tmp_path: Path) -> None:
    both = data(tables(tmp_path / "both", [*three_seeds(), made.cell(rate=float("inf"))]))
    one = data(with_exact_batches(tmp_path / "one"))

    def points(frame: pd.DataFrame) -> list[int]:
        figure = draw(frame)
        counts = [sum(line.get_marker() == "o" for line in panel.get_lines()) for panel in figure.axes[:4]]
        plt.close(figure)
        return counts

    assert points(both) == [1, 1, 1, 1]
    assert points(one) == [1, 0, 1, 0]


def test_the_interference_index_of_profiled_runs_stands_beside_their_cells(tmp_path: Path) -> None:
    found = tables(tmp_path, [*three_seeds(), made.cell(rate=float("inf"))])
    platform, model, engine, workload = GROUP
    run = RUN | {"platform": platform, "model": model, "engine": engine, "workload": workload, "rate": 10.0}
    pd.DataFrame([run]).to_parquet(found.folder / "interference.parquet")
    frame, svg = render(KIND, found, WHOLE_STUDY)
    assert set(frame.query("mark == 'cells'")["index"]) == {4.0}
    assert "interference index a decode token" in svg.decode()


def test_the_note_is_the_same_from_the_csv(tmp_path: Path) -> None:
    frame = data(tables(tmp_path, three_seeds()))
    again = pd.read_csv(io.StringIO(csv_text(frame)), keep_default_na=False, na_values=[""])
    assert note(again) == note(frame)


def test_the_same_tables_give_the_same_files(tmp_path: Path) -> None:
    tables(tmp_path / "tables", three_seeds())
    for folder in ("one", "two"):
        write_figures("figR", tmp_path / "tables", [WHOLE_STUDY], tmp_path / folder)
    for name in ("study.svg", "study.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
