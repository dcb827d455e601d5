import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from burstlab import cli
from burstlab.collections import collect as collect_module
from burstlab.collections.collect import collect
from burstlab.collections.manifest import check_manifest
from burstlab.errors import BurstlabError
from burstlab.records.cell_record import read_record
from burstlab.records.compressed import read_compressed
from burstlab.study.specification import specification_sha256


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures take most of the time; only some tests are about them."""
    monkeypatch.setattr(collect_module, "draw", lambda *_: None)


def test_a_collection_has_all_cells_under_the_machines_name(measured: Any, undrawn: None) -> None:
    collect(measured.study, "shipped", {"cpu": "xeon"})
    folder = measured.root / "collections/shipped"
    manifest = check_manifest(folder)
    names = [f"cells/{cell.id.replace('cpu/', 'xeon/')}/cell.json" for cell in measured.cells]
    assert list(manifest.records) == sorted(names)
    assert manifest.evidence == ("measured",)
    assert manifest.versions == {"vllm": ("0.32.0",)}
    assert manifest.hardware == ({"cpu": "some", "cores": 2},)
    assert not list((measured.root / "collections").glob(".*"))


def test_record_and_specification_say_the_new_name_and_keep_the_old_hashes(
    measured: Any, undrawn: None
) -> None:
    cell = measured.cells[0]
    before = read_record(measured.folder(cell) / "cell.json")
    collect(measured.study, "shipped", {"cpu": "xeon"})
    folder = measured.root / "collections/shipped/cells" / cell.id.replace("cpu/", "xeon/")
    record = read_record(folder / "cell.json")
    assert record.cell.platform == "xeon"
    assert record.specification["platform"]["name"] == "xeon"
    assert record.specification_sha256 == specification_sha256(record.specification)
    assert record.specification_sha256 != before.specification_sha256
    assert record.collected_from is not None
    assert record.collected_from.model_dump() == {
        "platform": "cpu",
        "specification_sha256": before.specification_sha256,
        "record_sha256": before.record_sha256,
    }
    unchanged = ("summary", "times", "versions", "commands", "files", "gates", "evidence", "log_lines")
    assert [getattr(record, key) for key in unchanged] == [getattr(before, key) for key in unchanged]


def test_the_saved_benchmark_is_kept_compressed_and_whole(measured: Any, undrawn: None) -> None:
    cell = measured.cells[0]
    collect(measured.study, "shipped", {"cpu": "xeon"})
    folder = measured.root / "collections/shipped/cells" / cell.id.replace("cpu/", "xeon/")
    assert not (folder / "bench.json").exists()
    assert read_compressed(folder / "bench.json.zst") == (measured.folder(cell) / "bench.json").read_bytes()
    for name in ("requests.parquet", "iterations.parquet", "iterations.log.zst"):
        assert (folder / name).read_bytes() == (measured.folder(cell) / name).read_bytes()


def test_tables_and_figures_are_of_the_collections_cells(measured: Any) -> None:
    collect(measured.study, "shipped", {"cpu": "xeon"})
    folder = measured.root / "collections/shipped"
    assert set(pq.read_table(folder / "tables/cells.parquet")["platform"].to_pylist()) == {"xeon"}
    drawing = (folder / "figures/fig1/xeon--tiny--eager--talk.svg").read_text()
    assert "synthetic-sharegpt" in drawing


def test_the_same_cells_give_the_same_tables_and_figures(measured: Any) -> None:
    collect(measured.study, "one", {"cpu": "xeon"})
    collect(measured.study, "other", {"cpu": "xeon"})
    one, other = (check_manifest(measured.root / "collections" / name).files for name in ("one", "other"))
    assert one == other


@pytest.mark.parametrize("platforms", [{}, {"cpu": "xeon", "gpu": "h200"}])
def test_every_platform_of_the_study_is_named_and_no_other(measured: Any, platforms: dict[str, str]) -> None:
    with pytest.raises(BurstlabError, match="--platform"):
        collect(measured.study, "shipped", platforms)
    assert not (measured.root / "collections").exists()


def test_a_cell_that_is_missing_or_stale_is_named_and_nothing_is_made(measured: Any) -> None:
    missing, stale = measured.cells[:2]
    (measured.folder(missing) / "cell.json").unlink()
    (measured.folder(stale) / "bench.json").write_text("{}")
    with pytest.raises(BurstlabError, match="2 of 4 cells") as caught:
        collect(measured.study, "shipped", {"cpu": "xeon"})
    assert f"{missing.id}: was not measured yet" in str(caught.value)
    assert f"{stale.id}: bench.json" in str(caught.value)
    assert not list((measured.root).glob("collections/*"))


def test_a_collection_is_never_overwritten(measured: Any, undrawn: None) -> None:
    collect(measured.study, "shipped", {"cpu": "xeon"})
    with pytest.raises(BurstlabError, match="shipped: is there already"):
        collect(measured.study, "shipped", {"cpu": "xeon"})


def test_two_platforms_cannot_become_one(make_study: Any, undrawn: None) -> None:
    block = {
        "platforms": ["cpu", "other"],
        "models": ["tiny"],
        "engines": ["eager"],
        "workloads": ["talk"],
        "rates": [1],
        "burstiness": [1.0],
        "seeds": [0],
    }
    study = make_study(platforms={"cpu": {"kind": "cpu"}, "other": {"kind": "cpu"}}, blocks=[block])
    study.measure()
    with pytest.raises(BurstlabError, match="two cells would be xeon/tiny/eager/talk/rate-1/burst-1/seed-0"):
        collect(study.study, "shipped", {"cpu": "xeon", "other": "xeon"})
    assert not list(study.root.glob("collections/*"))


def test_the_command_says_what_it_made(
    measured: Any, undrawn: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(measured.root)
    assert cli.main(["collect", "shipped", "--platform", "cpu=xeon", "--title", "Four cells"]) == 0
    assert "collections/shipped: 4 cells" in capsys.readouterr().out
    content = json.loads(Path("collections/shipped/manifest.json").read_text())
    assert content["title"] == "Four cells"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["shipped", "--platform", "cpu"], "OLD=NEW was expected"),
        (["shipped", "--platform", "cpu=X Y"], "small letters"),
        (["../out", "--platform", "cpu=xeon"], "small letters"),
    ],
)
def test_the_command_refuses_what_is_no_name(
    measured: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(measured.root)
    assert cli.main(["collect", *arguments]) == 1
    assert said in capsys.readouterr().err
