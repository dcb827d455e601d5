"""Two engines that differ in their version of FlashAttention, side by side."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.claims.made import cells, evidence

from burstlab.figures import fig6
from burstlab.figures.registry import BY_NAME
from burstlab.figures.tables import Tables
from burstlab.figures.write import render

FA2 = {"platform": "h200", "model": "llama-3.1-8b", "engine": "fa2", "workload": "burstgpt"}
FA3 = FA2 | {"engine": "fa3"}
PAIR = ("h200", "llama-3.1-8b", "fa2+fa3", "burstgpt")


def costs(of: dict[str, str], mixed_us: float, decode_only_us: float) -> list[dict[str, Any]]:
    row = {**cells(0.1, of, seeds=1)[0], "why": None, "mixed_us": mixed_us, "decode_only_us": decode_only_us}
    ratio = mixed_us / decode_only_us
    row |= {"index": ratio, "low": ratio - 0.1, "high": ratio + 0.1, "part": "attention"}
    return [{**row, "per": per} for per in ("token", "iteration")]


def tables(folder: Path, *engines: dict[str, str]) -> Tables:
    """With version 2 bursts halve TPOT, with version 3 they do nothing."""
    rows = [row for one in engines for row in cells(1.0, one)]
    rows += [
        row
        for one in engines
        for row in cells(0.1, one, **({"median_tpot_ms": 20.0} if one["engine"] == "fa2" else {}))
    ]
    evidence(folder, rows)
    pd.DataFrame(costs(FA2, 4000.0, 1000.0) + costs(FA3, 1500.0, 1000.0)).to_parquet(
        folder / "interference.parquet"
    )
    return Tables(folder)


def test_both_engines_costs_and_what_bursts_do_to_each(tmp_path: Path) -> None:
    frame = fig6.data(tables(tmp_path, FA2, FA3), PAIR)
    attention = frame[frame["mark"] == "attention"]
    assert attention[["engine", "per", "index"]].to_numpy().tolist() == [
        ["fa2", "token", 4.0],
        ["fa3", "token", 1.5],
    ]
    changes = frame[(frame["mark"] == "bursts") & (frame["metric"] == "median_tpot_ms")]
    assert dict(zip(changes["engine"], changes["change"], strict=True)) == pytest.approx(
        {"fa2": -0.5, "fa3": 0.0}, abs=0.01
    )
    assert set(changes["seeds"]) == {5}
    assert set(frame["evidence"]) == {"measured"}


def test_it_is_drawn_with_both_names_and_ratios(tmp_path: Path) -> None:
    _, svg = render(BY_NAME["fig6"], tables(tmp_path, FA2, FA3), PAIR)
    text = svg.decode()
    for words in ("fa2+fa3", "× 4", "× 1.5", "fa2, 10 req/s", "fa3, 10 req/s", "2 profiled runs", "5 seeds"):
        assert words in text


def test_without_cells_at_two_burstinesses_the_right_half_says_so(tmp_path: Path) -> None:
    frame, svg = render(BY_NAME["fig6"], tables(tmp_path), PAIR)
    assert set(frame["mark"]) == {"attention"}
    assert svg.count(b"Nothing to draw") == 1


def test_an_excluded_cell_is_in_no_change(tmp_path: Path) -> None:
    found = tables(tmp_path, FA2, FA3)
    frame = pd.read_parquet(tmp_path / "cells.parquet")
    frame.loc[frame["seed"] > 0, "counted"] = False
    frame.to_parquet(tmp_path / "cells.parquet")
    assert (fig6.data(found, PAIR)["mark"] == "attention").all()
