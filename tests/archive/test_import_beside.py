"""Importing an archive into a study that has cells and collections already."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.collections.conftest import MadeStudy, make_study, measured, recorded

from burstlab import cli
from burstlab.archive.pack import pack
from burstlab.collections.collect import collect as collect_study
from burstlab.collections.manifest import check_manifest
from burstlab.collections.members import collected_cells, collected_runs
from burstlab.errors import BurstlabError
from burstlab.imports.collect import collect
from burstlab.imports.names import Named
from burstlab.tables.study_tables import build_tables

__all__ = ["make_study", "measured", "recorded"]
ZIP = Path("study.zip")


def packed_whole(study: MadeStudy, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The archive of a study that shows a collection too, `shipped`, of the same cells on a machine called xeon."""
    collect_study(study.study, "shipped", {"cpu": "xeon"})
    study.config["collections"] = "all"
    monkeypatch.chdir(study.root)
    build_tables([study.folder(cell) / "cell.json" for cell in study.cells], Path("results/tables"))
    Path("results/report.html").write_text("<p>measured</p>")
    pack(study.config, ZIP, cells=None)
    return study.root / ZIP


def test_cells_of_a_collection_in_an_archive_are_imported_as_they_lie_there(
    measured: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = packed_whole(measured, monkeypatch)
    made = collect(archive, tmp_path / "other", "back", Named())
    assert made.outcome.refused == {}
    assert len(made.outcome.cells) == 8
    (benchmark,) = (made.folder / "cells/xeon").glob("**/burst-1/seed-0/bench.json*")
    assert benchmark.name == "bench.json.zst"


def test_one_that_is_damaged_in_there_is_refused(
    measured: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = packed_whole(measured, monkeypatch)
    gone = f"collections/shipped/cells/xeon/{measured.cells[0].id.partition('/')[2]}/bench.json.zst"
    damaged = tmp_path / "damaged.zip"
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(damaged, "w") as sink:
        for name in source.namelist():
            if name != gone:
                sink.writestr(name, source.read(name))
    made = collect(damaged, tmp_path / "other", "back", Named())
    assert len(made.outcome.cells) == 7
    (reason,) = made.outcome.refused.values()
    assert f"{gone}: is missing" in reason


def test_a_collection_that_is_here_already_is_left_out_with_a_line(
    measured: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    packed_whole(measured, monkeypatch)
    assert cli.main(["import", str(ZIP), "--name", "mine", "--platform", "cpu=lab2"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "collections/mine: 4 cells imported",
        "collections/shipped of the archive is here already, and was left out",
    ]
    assert {path.name for path in Path("collections/mine/cells").iterdir()} == {"lab2"}
    assert not list(Path("collections").glob("**/.before"))


def test_a_platform_is_renamed_in_cells_and_profiled_runs(
    recorded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(recorded.root)
    pack(recorded.config, ZIP, cells="cpu/tiny")
    made = collect(ZIP, recorded.root, "lab", Named(), platforms={"cpu": "lab2"}, study=recorded.study)
    manifest = check_manifest(made.folder)
    assert (len(manifest.records), len(manifest.profiled_records)) == (4, 2)
    recorded.config["collections"] = "all"
    study = recorded.study
    shown = collected_cells(study, recorded.cells, tmp_path / "index.json")
    runs = collected_runs(study, recorded.runs, tmp_path / "index.json")
    assert {one.group[0] for one in (*shown, *runs)} == {"lab2"}
    build_tables([recorded.root / one.record for one in shown], tmp_path / "tables")


def test_a_cell_that_would_be_there_twice_is_refused_with_the_cure(
    measured: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(measured.root)
    pack(measured.config, ZIP, cells="cpu/tiny")
    measured.config["collections"] = "all"
    said = r"(?s)would be there twice \(among the study's own.*and 3 more.*--platform cpu=NAME"
    with pytest.raises(BurstlabError, match=said):
        collect(ZIP, measured.root, "mine", Named(), study=measured.study)
    assert not list(measured.root.glob("collections/*"))
    collect(ZIP, measured.root, "lab", Named(), platforms={"cpu": "lab2"}, study=measured.study)
    with pytest.raises(BurstlabError, match=r"would be there twice \(in collections/lab\)"):
        collect(ZIP, measured.root, "more", Named(), platforms={"cpu": "lab2"}, study=measured.study)


def test_a_study_that_does_not_show_the_collection_has_nothing_twice(
    measured: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(measured.root)
    pack(measured.config, ZIP, cells="cpu/tiny")
    made = collect(ZIP, measured.root, "mine", Named(), study=measured.study)
    assert len(made.outcome.cells) == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--platform", "gpu=lab2"], "--platform gpu=lab2: the archive has no cells on gpu, but on cpu"),
        (
            ["--platform", "lab2"],
            "--platform: the cells of an archive have their names already; give OLD=NEW",
        ),
        (["--platform", "cpu=La b"], "--platform cpu=La b: 'La b'"),
        (["--platform", "cpu=a", "--platform", "b"], "--platform b: may be given once, or OLD=NEW"),
    ],
)
def test_names_that_make_no_sense_are_refused(
    make_study: Callable[..., MadeStudy],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    said: str,
) -> None:
    study = make_study()
    study.measure()
    monkeypatch.chdir(study.root)
    pack(study.config, ZIP, cells="cpu/tiny")
    assert cli.main(["import", str(ZIP), *options]) == 1
    assert said in capsys.readouterr().err
    assert not list(study.root.glob("collections/*"))
