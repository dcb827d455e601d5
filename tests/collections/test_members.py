import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from burstlab.collections import checked as checked_module
from burstlab.collections import collect as collect_module
from burstlab.collections.collect import collect
from burstlab.collections.members import collected_cells, collected_sources, folders_of
from burstlab.errors import BurstlabError
from burstlab.records.cell_record import read_record
from burstlab.study.load import load_study


@pytest.fixture
def shipped(measured: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The study with a collection of its cells, which needs no figures here."""
    monkeypatch.setattr(collect_module, "draw", lambda *_: None)
    collect(measured.study, "shipped", {"cpu": "xeon"})
    return measured


def found(study: Any, **changes: Any) -> Any:
    loaded = load_study({**study.config, "collections": "all", **changes}, [], study.root)
    return collected_cells(loaded, study.cells, study.root / "index.json")


def test_its_cells_join_the_studys_own(shipped: Any) -> None:
    cells = found(shipped)
    assert [cell.id for cell in cells] == sorted(cell.id.replace("cpu/", "xeon/") for cell in shipped.cells)
    assert {cell.group for cell in cells} == {("xeon", "tiny", "eager", "talk")}
    for cell in cells:
        assert read_record(shipped.root / cell.record).cell.cell().id == cell.id


def test_a_study_that_names_none_has_none(shipped: Any) -> None:
    assert found(shipped, collections=[]) == ()
    assert folders_of(shipped.study) == []


def test_a_collection_that_is_not_there_is_told_with_those_that_are(shipped: Any) -> None:
    with pytest.raises(BurstlabError, match=r"collections\[0\] = 'shiped'.*did you mean 'shipped'"):
        found(shipped, collections=["shiped"])


@pytest.mark.parametrize("value", ["some", 3, {"a": 1}, [1], ["A B"], ["shipped", "shipped"]])
def test_what_is_no_list_of_collections_is_told(shipped: Any, value: Any) -> None:
    with pytest.raises(BurstlabError, match="collections"):
        found(shipped, collections=value)


def test_a_study_of_collections_alone_needs_no_other_key(shipped: Any) -> None:
    study = load_study({"name": "other", "collections": ["shipped"]}, [], shipped.root)
    assert len(collected_cells(study, [], shipped.root / "index.json")) == 4


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"name": "none"}, "platforms: this key is missing"),
        ({"name": "none", "collections": "all"}, "there is no collection"),
        ({"name": "none", "mode": "chached"}, "mode = 'chached': must be"),
        ({"name": "none", "mode": False}, "mode = False"),
    ],
)
def test_a_study_of_nothing_is_an_error(tmp_path: Path, config: dict[str, Any], said: str) -> None:
    with pytest.raises(BurstlabError, match=said):
        load_study(config, [], tmp_path)


def test_the_same_cell_in_two_collections_is_an_error_that_names_both(shipped: Any) -> None:
    collect(shipped.study, "again", {"cpu": "xeon"})
    with pytest.raises(BurstlabError, match="is there twice") as caught:
        found(shipped)
    assert "collections/again/cells/xeon/tiny" in str(caught.value)
    assert "collections/shipped/cells/xeon/tiny" in str(caught.value)


def test_a_cell_that_the_study_measures_itself_cannot_come_from_a_collection_too(shipped: Any) -> None:
    collect(shipped.study, "own", {"cpu": "cpu"})
    with pytest.raises(BurstlabError, match="is there twice") as caught:
        found(shipped)
    assert "results/cells/cpu/tiny" in str(caught.value)
    assert "collections/own/cells/cpu/tiny" in str(caught.value)


def test_the_records_say_where_prompts_come_from(shipped: Any) -> None:
    sources = dict(collected_sources(found(shipped), shipped.root))
    assert sources == {("xeon", "tiny", "eager", "talk"): "synthetic-sharegpt"}


@pytest.mark.parametrize("what", ["changed", "missing", "extra"])
def test_a_damaged_collection_is_told_whatever_the_index_says(
    shipped: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checked_module, "FRESH_NS", 0)
    cells = found(shipped)
    assert (shipped.root / "index.json").exists()
    path = shipped.root / Path(cells[0].record).with_name("requests.parquet")
    if what == "changed":
        before = path.stat()
        data = path.read_bytes()
        path.write_bytes(data[:50] + bytes([data[50] ^ 1]) + data[51:])
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif what == "missing":
        path.unlink()
    else:
        (path.parent / "requests.parquet.bak").write_text("")
    with pytest.raises(BurstlabError, match=rf"requests\.parquet.*is {what}|requests\.parquet: was {what}"):
        found(shipped)


def test_what_did_not_change_is_read_once(shipped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_module, "FRESH_NS", 0)
    read: list[Path] = []
    real = checked_module.check_manifest

    def counted(folder: Path) -> Any:
        read.append(folder)
        return real(folder)

    monkeypatch.setattr(checked_module, "check_manifest", counted)
    cells = found(shipped)
    found(shipped)
    assert len(read) == 1
    shutil.copystat(
        shipped.root / "config.yaml", shipped.root / "collections/shipped" / cells[0].record.split("/", 2)[2]
    )
    found(shipped)
    assert len(read) == 2


def test_files_as_fresh_as_the_clock_are_read_again(shipped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_module, "FRESH_NS", 3_600_000_000_000)
    found(shipped)
    assert not (shipped.root / "index.json").exists()


@pytest.mark.parametrize("garbage", [b"", b"[]", b'{"format": 1}', b'{"format": 1, "collections": 3}'])
def test_a_damaged_index_costs_time_not_truth(shipped: Any, garbage: bytes) -> None:
    (shipped.root / "index.json").write_bytes(garbage)
    assert len(found(shipped)) == 4
