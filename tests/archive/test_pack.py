import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml

from burstlab.archive.contents import CHECKOUT
from burstlab.archive.metadata import METADATA, Agent
from burstlab.archive.pack import pack
from burstlab.errors import BurstlabError

ZIP = Path("study.zip")


def graph_of(path: Path) -> dict[str, dict[str, Any]]:
    with zipfile.ZipFile(path) as archive:
        return {entity["@id"]: entity for entity in json.loads(archive.read(METADATA))["@graph"]}


def listed(value: Any) -> list[str]:
    return [one["@id"] for one in (value if isinstance(value, list) else [value])]


def test_every_file_of_the_archive_is_listed_with_its_digest(small_study: Any) -> None:
    packed = pack(small_study.config, ZIP)
    graph = graph_of(ZIP)
    with zipfile.ZipFile(ZIP) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
        digests = {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names - {METADATA}}
    assert {unquote(key): entity["sha256"] for key, entity in graph.items() if "sha256" in entity} == digests
    assert (packed.cells, packed.files) == (2, len(names))
    assert {"Snakefile", "config.yaml", "workflow/rules/study.smk", "results/report.html"} <= names
    assert {"results/tables/cells.parquet", f"results/cells/{small_study.cells[0].id}/bench.json"} <= names


def test_it_is_a_workflow_run_crate(small_study: Any) -> None:
    pack(small_study.config, ZIP, agent=Agent("Ada Example", "https://orcid.org/0000-0002-1825-0097"))
    graph = graph_of(ZIP)
    root = graph["./"]
    assert "https://w3id.org/ro/wfrun/workflow/0.5" in listed(root["conformsTo"])
    assert graph[METADATA]["about"] == {"@id": "./"}
    assert "ComputationalWorkflow" in graph[root["mainEntity"]["@id"]]["@type"]
    actions = [entity for entity in graph.values() if entity["@type"] == "CreateAction"]
    assert {action["@id"] for action in actions} == set(listed(root["mentions"]))
    assert "Snakefile" in {action["instrument"]["@id"] for action in actions}
    for action in actions:
        assert action["agent"] == {"@id": "https://orcid.org/0000-0002-1825-0097"}
        # Every cell started at 15:00:00, and its record does not say when it ended.
        assert action["startTime"] == "2026-11-29T15:00:00+00:00"
    (engine,) = [entity for entity in graph.values() if entity["@type"] == "SoftwareApplication"]
    assert engine["softwareVersion"] == "0.32.0"


def test_everything_that_is_mentioned_is_described(small_study: Any) -> None:
    pack(small_study.config, ZIP)
    graph = graph_of(ZIP)

    def mentioned(value: Any) -> set[str]:
        if isinstance(value, list):
            return set().union(*map(mentioned, value))
        return {value["@id"]} if isinstance(value, dict) else set()

    for entity in graph.values():
        for key, value in entity.items():
            if key not in ("@id", "conformsTo"):
                assert mentioned(value) <= set(graph), (entity["@id"], key)
    reached, rest = set(), ["./"]
    while rest:
        part = rest.pop()
        reached.add(part)
        rest += listed(graph[part]["hasPart"]) if "hasPart" in graph[part] else []
    assert {key for key, entity in graph.items() if "sha256" in entity} <= reached


def test_the_same_study_gives_the_same_bytes_whatever_the_clock(small_study: Any) -> None:
    pack(small_study.config, ZIP)
    before = ZIP.read_bytes()
    for path in small_study.results.rglob("*"):
        path.touch()
    pack(small_study.config, ZIP)
    assert ZIP.read_bytes() == before


def test_no_folder_of_this_machine_stands_in_the_metadata(small_study: Any, tmp_path: Path) -> None:
    pack(small_study.config, ZIP)
    with zipfile.ZipFile(ZIP) as archive:
        assert str(tmp_path) not in archive.read(METADATA).decode()
        assert not [name for name in archive.namelist() if name.startswith("/") or ".." in name]


def test_a_selection_has_its_cells_and_nothing_made_of_others(small_study: Any) -> None:
    assert pack(small_study.config, ZIP, cells="*/seed-1").cells == 1
    with zipfile.ZipFile(ZIP) as archive:
        cells = {name.rsplit("/", 1)[0] for name in archive.namelist() if name.startswith("results/")}
    assert cells == {f"results/cells/{small_study.cells[1].id}"}
    assert pack(small_study.config, ZIP, cells="cpu/tiny").cells == 2


def test_a_damaged_cell_is_left_out_and_named(small_study: Any) -> None:
    (small_study.folder(0) / "bench.json").write_text("{}")
    packed = pack(small_study.config, ZIP)
    assert packed.cells == 1
    assert list(packed.left_out) == [small_study.cells[0].id]
    assert "bench.json" in packed.left_out[small_study.cells[0].id]
    assert "1 cell of those asked for left out." in graph_of(ZIP)["./"]["description"]


def test_nothing_to_pack_is_an_error_that_says_why(small_study: Any) -> None:
    with pytest.raises(BurstlabError, match="no cell of the study matches"):
        pack(small_study.config, ZIP, cells="gpu/*")
    for number in (0, 1):
        (small_study.folder(number) / "cell.json").unlink()
    with pytest.raises(BurstlabError, match="none of the 2 cells can be packed"):
        pack(small_study.config, ZIP)
    assert not ZIP.exists()


def test_tables_of_other_cells_are_not_packed(small_study: Any) -> None:
    (small_study.results / "tables/cells.parquet").unlink()
    with pytest.raises(BurstlabError, match="run snakemake first"):
        pack(small_study.config, ZIP)


def test_an_access_token_is_never_packed(small_study: Any) -> None:
    ZIP.write_text("the old one")
    (small_study.results / "report.html").write_text(" " * 600 + "hf_" + "a" * 34)
    with pytest.raises(BurstlabError, match=r"results/report\.html: has an access token"):
        pack(small_study.config, ZIP)
    assert ZIP.read_text() == "the old one"
    assert [path.name for path in Path().iterdir() if path.suffix == ".part"] == []


def test_a_file_that_names_a_folder_of_this_machine_is_told(small_study: Any, tmp_path: Path) -> None:
    (small_study.results / "report.html").write_text(f"<p>{tmp_path}/model</p>")
    assert pack(small_study.config, ZIP).folders_named_in == ("results/report.html",)


def test_a_lock_that_ships_is_named_as_in_the_archive(small_study: Any) -> None:
    lock = str(CHECKOUT / "envs/vllm-cpu.txt")
    config = small_study.config | {
        "environments": small_study.config["environments"] | {"locked": {"lock": lock}}
    }
    pack(config, ZIP)
    with zipfile.ZipFile(ZIP) as archive:
        settings = yaml.safe_load(archive.read("config.yaml"))
        assert settings["environments"]["locked"]["lock"] == "envs/vllm-cpu.txt"
        assert "envs/vllm-cpu.txt" in archive.namelist()
