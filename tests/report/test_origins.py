"""Cells that were run here and those that a collection brought are told apart."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd

from burstlab.collections.manifest import Manifest
from burstlab.report.origins import Origin, gather
from burstlab.report.page import environment

TEMPLATES = Path(__file__).parents[2] / "report"


def cells(*rows: tuple[str, bool]) -> pd.DataFrame:
    return pd.DataFrame(
        [{"cell": name, "counted": counted, "evidence": "measured"} for name, counted in rows]
    )


def record(folder: Path, cell: str) -> Path:
    path = folder / "cells" / cell / "cell.json"
    path.parent.mkdir(parents=True)
    path.touch()
    return path


def test_each_origin_has_its_own_cells_and_times(tmp_path: Path) -> None:
    results, shipped = tmp_path / "results", tmp_path / "collections/default"
    own = [record(results, name) for name in "ab"]
    record(shipped, "c")
    started = dict(zip(own, ("2026-11-02T01:00:00", "2026-11-01T22:00:00"), strict=True))
    manifests = [cast("Manifest", SimpleNamespace(title="The default study"))]
    found = gather(cells(("a", True), ("c", False), ("b", False)), started, results, [shipped], manifests)
    measured = ("measured",)
    assert found == [
        Origin("", 2, 1, measured, "2026-11-01T22:00:00", "2026-11-02T01:00:00"),
        Origin("The default study", 1, 0, measured, None, None),
    ]
    assert [origin.excluded for origin in found] == [1, 1]
    assert gather(cells(("c", False)), {}, results, [shipped], manifests) == found[1:]


def head(*origins: Origin) -> str:
    """The text of the page's head."""
    values: dict[str, Any] = {"study": "s", "version": "1", "cells": 3, "counted": 1, "requests": 9}
    values |= {"failed_requests": 0, "evidence": ["measured"], "unjudged": SimpleNamespace(cells=0)}
    source = "{% import 'macros.html.j2' as show %}{% include 'header.html.j2' %}"
    html = environment(TEMPLATES).from_string(source).render(origins=origins, datasets=[], **values)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))


def test_the_head_says_both_apart() -> None:
    own = Origin("", 2, 1, ("measured",), "2026-11-01T22:00:00", "2026-11-02T01:00:00")
    text = head(
        own, Origin("The default study", 1, 0, ("measured",), "2026-10-01T08:00:00", "2026-10-01T08:00:00")
    )
    assert "Study s, burstlab 1" in text
    assert "Run here: 2 cells, 1 excluded, measured 2026-11-01 22:00 to 2026-11-02 01:00 UTC" in text
    assert "From The default study: 1 cell, 1 excluded, measured 2026-10-01 08:00 UTC" in text


def test_a_study_of_ones_own_has_its_times_in_one_line() -> None:
    text = head(Origin("", 3, 1, ("measured",), "2026-11-01T22:00:00", "2026-11-01T22:00:00"))
    assert "Study s, measured 2026-11-01 22:00 UTC, burstlab 1" in text
    assert "Run here" not in text
    simulated = Origin("", 3, 1, ("simulated",), "2026-11-01T22:00:00", "2026-11-01T22:00:00")
    assert "Study s, run 2026-11-01 22:00 UTC" in head(simulated)
