"""Profiled runs in an archive: packed, told of as such, and taken over by an import."""

import json
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from tests.collections.conftest import make_study, recorded

from burstlab.archive.metadata import METADATA
from burstlab.archive.pack import Packed, pack
from burstlab.archive.told import told
from burstlab.collections.manifest import check_manifest
from burstlab.imports.collect import collect
from burstlab.imports.names import Named

__all__ = ["make_study", "recorded"]
ZIP = Path("study.zip")


@pytest.fixture
def packed(recorded: Any, monkeypatch: pytest.MonkeyPatch) -> Packed:
    monkeypatch.chdir(recorded.root)
    return pack(recorded.config, ZIP, cells="cpu/tiny")


def test_their_files_and_what_they_are_stand_in_it(recorded: Any, packed: Packed) -> None:
    with zipfile.ZipFile(ZIP) as archive:
        names = set(archive.namelist())
        graph = {unquote(one["@id"]): one for one in json.loads(archive.read(METADATA))["@graph"]}
    for run in recorded.runs:
        folder = f"results/profiles/cells/{run.id}/"
        assert {f"{folder}{name}" for name in ("cell.json", "kernels.parquet", "bench.json")} <= names
        assert graph[folder]["description"].startswith("One profiled run, measured; it ")
    actions = [name for name, one in graph.items() if one["@type"] == "CreateAction" and "--" in name]
    assert [name.split("cpu--")[0] for name in sorted(actions)] == ["#cells-", "#profiled-runs-"]
    assert "2 profiled runs of tiny with eager on cpu" in graph[sorted(actions)[1]]["name"]
    assert told(packed)[0].startswith("study.zip: 4 cells and 2 profiled runs, ")


def test_one_that_is_damaged_is_left_out(recorded: Any, packed: Packed) -> None:
    lost = recorded.runs[0]
    (recorded.run_folder(lost) / "kernels.parquet").unlink()
    again = pack(recorded.config, ZIP, cells="cpu/tiny")
    assert (again.cells, again.runs) == (4, 1)
    assert "kernels.parquet: is missing" in again.left_out[f"profiled run {lost.id}"]


def test_what_was_packed_comes_back_as_it_was(recorded: Any, packed: Packed, tmp_path: Path) -> None:
    made = collect(ZIP, tmp_path / "other", "back", Named())
    assert made.outcome.refused == {}
    assert made.outcome.runs == sorted(run.id for run in recorded.runs)
    manifest = check_manifest(made.folder)
    assert len(manifest.records) == 4
    assert "4 cells and 2 profiled runs" in manifest.origin
    for run in recorded.runs:
        for path in recorded.run_folder(run).iterdir():
            assert (made.folder / "profiles/cells" / run.id / path.name).read_bytes() == path.read_bytes()
