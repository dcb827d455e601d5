"""What each figure's frame holds, on cases small enough to work out by hand."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.figures import synthetic_tables as made

from burstlab.figures import fig1, fig2, fig3, fig4, figa1, figb5
from burstlab.figures.tables import Tables

GROUP = ("cpu", "tiny-gqa", "eager", "random-128-32")


def tables(folder: Path, cells: list[dict[str, object]], **columns: list[object]) -> Tables:
    """Made-up tables with columns of the cells (in order of their names) put to the values given."""
    made.write_tables(folder, cells)
    frame = pd.read_parquet(folder / "cells.parquet")
    for column, values in columns.items():
        frame[column] = values
    frame.to_parquet(folder / "cells.parquet")
    return Tables(folder)


def rows_of(folder: Path, name: str, rows: list[dict[str, object]], schema: pa.Schema) -> None:
    pq.write_table(pa.Table.from_pylist(rows, schema), folder / f"{name}.parquet")


def test_fig1_has_mean_and_standard_deviation_over_counted_seeds(tmp_path: Path) -> None:
    cells = [made.cell(0), made.cell(1), made.cell(2), made.cell(3, failed_gates="lateness")]
    frame = fig1.data(tables(tmp_path, cells, median_tpot_ms=[1.0, 2.0, 6.0, 99.0]), GROUP)
    tpot = frame[frame["metric"] == "median_tpot_ms"]
    mean = tpot[tpot["mark"] == "mean"]
    assert list(mean["value"]) == [3.0]
    assert list(mean["sd"]) == [pytest.approx(7**0.5)]  # deviations −2, −1, 3: 14 over 3 − 1
    assert list(mean["seeds"]) == [3]
    assert list(tpot[tpot["mark"] == "seed"]["value"]) == [1.0, 2.0, 6.0, 99.0]
    assert "over 3 seeds" in fig1.note(frame)
    assert "1 of 4 cells excluded by a validity gate" in fig1.note(frame)


def test_fig1_keeps_rates_burstiness_traces_and_evidence_apart(tmp_path: Path) -> None:
    cells = [made.cell(0, b, rate) for b in (1.0, 0.5) for rate in (5.0, 10.0)]
    cells += [made.cell(0, None, trace="azure"), made.cell(1, 0.5, 10.0, evidence="simulated")]
    frame = fig1.data(Tables(made.write_tables(tmp_path, cells)), GROUP)
    means = frame[(frame["mark"] == "mean") & (frame["metric"] == "p90_ttft_ms")]
    assert len(means) == 6
    assert means["sd"].isna().all()
    assert "no band" in fig1.note(frame)


def test_fig3_keeps_a_row_for_a_cell_without_a_value(tmp_path: Path) -> None:
    frame = fig3.data(
        tables(tmp_path, [made.cell(0), made.cell(1)], decode_only_token_share=[0.25, None]), GROUP
    )
    seeds = frame[frame["mark"] == "seed"]
    assert list(seeds["value"].isna()) == [False, True]
    assert list(frame[frame["mark"] == "mean"]["value"]) == [0.25]


def test_fig2_is_the_cumulative_share_of_requests(tmp_path: Path) -> None:
    where = tables(tmp_path, [made.cell()])
    cell = made.identity(made.cell())
    rows = [
        {"cell": cell, "evidence": "measured", "tpot_ms": value} for value in (40.0, 10.0, 20.0, 30.0, None)
    ]
    rows_of(tmp_path, "requests", rows, made.REQUESTS)
    frame = fig2.data(where, GROUP)
    curve = frame[frame["mark"] == "cumulative"]
    assert list(curve["tpot_ms"]) == [10.0, 20.0, 30.0, 40.0]
    assert list(curve["share"]) == [0.25, 0.5, 0.75, 1.0]
    bins = frame[frame["mark"] == "bin"]
    assert len(bins) == fig2.BINS
    # The axis ends just below the slowest request, which so falls in no bin.
    assert bins["share"].sum() == pytest.approx(0.75)


def test_fig2_thins_long_curves_but_keeps_their_ends(tmp_path: Path) -> None:
    where = tables(tmp_path, [made.cell()])
    cell = made.identity(made.cell())
    rows = [{"cell": cell, "evidence": "measured", "tpot_ms": float(n)} for n in range(1, 10_001)]
    rows_of(tmp_path, "requests", rows, made.REQUESTS)
    curve = fig2.data(where, GROUP).query("mark == 'cumulative'")
    assert len(curve) == 200
    assert curve["tpot_ms"].iloc[0] == 50.0
    assert curve["tpot_ms"].iloc[-1] == 10_000.0


def test_fig4_averages_mixed_iterations_only(tmp_path: Path) -> None:
    where = tables(tmp_path, [made.cell(0), made.cell(1), made.cell(2)])
    batches = [
        (0, "mixed", 100, 2),
        (0, "mixed", 300, 4),
        (0, "decode-only", 0, 9),
        (1, "mixed", 100, 5),
        (1, "prefill-only", 900, 0),
        (2, "decode-only", 0, 1),
    ]
    rows = [
        {"cell": made.identity(made.cell(seed)), "kind": kind, "context_tokens": c, "generation_tokens": g}
        for seed, kind, c, g in batches
    ]
    rows_of(tmp_path, "iterations", rows, made.ITERATIONS)
    frame = fig4.data(where, GROUP)
    seeds = frame[frame["mark"] == "seed"]
    assert list(seeds["mixed_iterations"]) == [2, 1, 0]
    assert list(seeds["total_tokens"])[:2] == [203.0, 105.0]
    mean = frame[frame["mark"] == "mean"].iloc[0]
    assert (mean["context_tokens"], mean["generation_tokens"], mean["seeds"]) == (150.0, 4.0, 2)
    assert "Without a mixed iteration: 1 of 3 cells." in fig4.note(frame)


def test_figa1_finds_the_coefficients_that_made_the_iterations(tmp_path: Path) -> None:
    where = tables(tmp_path, [made.cell(0), made.cell(1), made.cell(2, failed_gates="lateness")])
    rows = []
    for seed in range(3):
        for number, (g, c) in enumerate([(1, 0), (4, 0), (2, 100), (0, 50), (8, 200)]):
            wrong = 1000 if seed == 2 else 0
            row = {
                "cell": made.identity(made.cell(seed)),
                "iteration": number,
                "kind": "mixed",
                "context_tokens": c,
            }
            rows.append(row | {"generation_tokens": g, "elapsed_ms": 7 + 2 * g + 0.5 * c + wrong})
    rows_of(tmp_path, "iterations", rows, made.ITERATIONS)
    frame = figa1.data(where, GROUP)
    terms = frame[frame["mark"] == "coefficient"]
    for column in ("estimate", "low", "high"):
        np.testing.assert_allclose(terms[column].astype(float), [7, 2, 0.5], rtol=1e-9)
    assert terms["r_squared"].iloc[0] == pytest.approx(1)
    assert terms["fitted_cells"].iloc[0] == 2
    assert int((frame["mark"] == "point").sum()) == 15  # the excluded cell's are drawn, not fitted


def test_figa1_thins_each_kind_and_keeps_its_extremes(tmp_path: Path) -> None:
    where = tables(tmp_path, [made.cell()])
    rows = [
        {"cell": made.identity(made.cell()), "iteration": n, "kind": "decode-only", "context_tokens": 0}
        | {"generation_tokens": n % 7, "elapsed_ms": float(n)}
        for n in range(5000)
    ]
    rows_of(tmp_path, "iterations", rows, made.ITERATIONS)
    frame = figa1.data(where, GROUP)
    points = frame[frame["mark"] == "point"]
    assert len(points) == figa1.POINTS_PER_KIND
    assert (points["elapsed_ms"].min(), points["elapsed_ms"].max()) == (0, 4999)
    assert "250 of 5,000 iterations" in figa1.note(frame)
    assert "No fit" in figa1.note(frame)  # nothing tells what a context token costs


def test_figb5_has_a_row_a_cell_and_tells_the_ratio(tmp_path: Path) -> None:
    columns = {"expected_interval_ms": [10.0, 20.0, None], "mean_tpot_ms": [11.0, 26.0, 5.0]}
    frame = figb5.data(tables(tmp_path, [made.cell(seed) for seed in range(3)], **columns), GROUP)
    assert len(frame) == 3
    assert "2 of 3 cells" in figb5.note(frame)
    assert "1.20" in figb5.note(frame)
