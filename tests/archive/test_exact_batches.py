"""Times of exact batches in an archive of a whole study: packed, and taken over by an import."""

import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.collections.conftest import make_study, recorded, timed

from burstlab.archive.pack import pack
from burstlab.collections.manifest import check_manifest
from burstlab.exact_batches.record import times_of
from burstlab.imports.collect import collect
from burstlab.imports.names import Named
from burstlab.tables.study_tables import build_tables

__all__ = ["make_study", "recorded", "timed"]
ZIP = Path("study.zip")
FOLDER = "profiles/exact_batches/cpu/tiny"


@pytest.fixture
def study(timed: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The study, with tables and a report, in the current folder."""
    monkeypatch.chdir(timed.root)
    build_tables([timed.folder(cell) / "cell.json" for cell in timed.cells], Path("results/tables"))
    Path("results/report.html").write_text("<p>measured</p>")
    return timed


def times() -> Path:
    (path,) = Path("results", FOLDER).glob("eager-*.json")
    return path


def test_the_whole_study_has_those_that_it_asks_for(study: Any) -> None:
    asked = times()
    asked.with_name("eager-000000000000.json").write_text("of an older question")
    pack(study.config, ZIP)
    with zipfile.ZipFile(ZIP) as archive:
        assert [
            name for name in archive.namelist() if "exact_batches/" in name and name.endswith("json")
        ] == [asked.as_posix()]
        assert archive.read(asked.as_posix()) == asked.read_bytes()


def test_what_was_packed_comes_back_as_it_was(study: Any, tmp_path: Path) -> None:
    pack(study.config, ZIP)
    made = collect(ZIP, tmp_path / "other", "back", Named())
    assert made.outcome.refused == {}
    name = f"{FOLDER}/{times().name}"
    assert check_manifest(made.folder).exact_batches == (name,)
    assert (made.folder / name).read_bytes() == times().read_bytes()


def test_they_are_of_the_platform_as_the_import_calls_it(study: Any, tmp_path: Path) -> None:
    pack(study.config, ZIP)
    made = collect(ZIP, tmp_path / "other", "back", Named(), platforms={"cpu": "lab2"})
    (name,) = check_manifest(made.folder).exact_batches
    assert name == f"profiles/exact_batches/lab2/tiny/{times().name}"
    assert set(times_of([made.folder / name])["platform"].to_pylist()) == {"lab2"}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"rows"', '"lines"', "not the times of exact batches"),
        ('"model": "tiny"', '"model": "huge"', "has times of cpu/huge/eager"),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_refused(
    study: Any, tmp_path: Path, before: str, after: str, said: str
) -> None:
    path = times()
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    pack(study.config, ZIP)
    made = collect(ZIP, tmp_path / "other", "back", Named())
    assert said in made.outcome.refused[f"{FOLDER}/{path.name}"]
    assert len(made.outcome.cells) == 4
    assert check_manifest(made.folder).exact_batches == ()
