import json
import os
from pathlib import Path
from typing import Any

import pytest

from burstlab.collections.manifest import (
    FAULTS_SHOWN,
    check_manifest,
    files_in,
    read_manifest,
    write_manifest,
)
from burstlab.errors import BurstlabError

RECORD = "cells/cpu/tiny/eager/random/rate-10/burst-1/seed-0/cell.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection of two files."""
    collection = tmp_path / "shipped"
    (collection / RECORD).parent.mkdir(parents=True)
    (collection / RECORD).write_text("{}")
    (collection / "tables").mkdir()
    (collection / "tables/cells.csv").write_text("cell\n")
    return collection


def write(folder: Path, **changes: Any) -> None:
    arguments: dict[str, Any] = {
        "name": "shipped",
        "title": "The default study",
        "origin": "measured on a machine of two cores",
        "evidence": ["measured", "measured"],
        "versions": {"vllm": ["0.32.0", "0.32.0"]},
        "hardware": [{"cpu": "some", "cores": 2}],
        "git_commit": "0" * 40,
    }
    write_manifest(folder, **(arguments | changes))


def test_it_lists_every_file_with_size_and_digest(folder: Path) -> None:
    write(folder)
    manifest = check_manifest(folder)
    assert set(manifest.files) == {RECORD, "tables/cells.csv"}
    # SHA-256 of the two characters {}.
    digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert (manifest.files[RECORD].bytes, manifest.files[RECORD].sha256) == (2, digest)
    assert manifest.records == (RECORD,)
    assert manifest.evidence == ("measured",)
    assert manifest.versions == {"vllm": ("0.32.0",)}


def test_missing_changed_and_extra_files_are_each_named(folder: Path) -> None:
    write(folder)
    (folder / RECORD).write_text("[]")
    (folder / "tables/cells.csv").unlink()
    (folder / "tables/other.csv").write_text("")
    with pytest.raises(BurstlabError) as caught:
        check_manifest(folder)
    said = str(caught.value)
    assert f"{RECORD}: was changed: it does not have the listed sha256" in said
    assert "tables/cells.csv: is missing" in said
    assert "tables/other.csv: is extra" in said
    assert str(folder) in said


def test_a_file_of_another_size_is_told_by_its_size(folder: Path) -> None:
    write(folder)
    (folder / RECORD).write_text("")
    with pytest.raises(BurstlabError, match="it has 0 bytes, listed are 2"):
        check_manifest(folder)


def test_many_faults_are_counted_beyond_the_first(folder: Path) -> None:
    write(folder)
    for number in range(FAULTS_SHOWN + 3):
        (folder / f"extra-{number:02}").write_text("")
    with pytest.raises(BurstlabError, match="and 3 more files") as caught:
        check_manifest(folder)
    assert str(caught.value).count("is extra") == FAULTS_SHOWN


def test_a_link_is_no_part_of_a_collection(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BurstlabError, match="link: a collection holds plain files"):
        files_in(folder)


def test_a_pipe_is_no_part_of_a_collection(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(BurstlabError, match="pipe: a collection holds plain files"):
        write(folder)


def test_an_edited_manifest_is_told(folder: Path) -> None:
    write(folder)
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace("two cores", "ten cores"))
    with pytest.raises(BurstlabError, match=r"manifest\.json: was edited"):
        read_manifest(folder)


def test_a_folder_without_a_manifest_is_no_collection(folder: Path) -> None:
    with pytest.raises(BurstlabError, match=r"manifest\.json: is missing, so .* is not a collection"):
        check_manifest(folder)


@pytest.mark.parametrize("path", ["/etc/passwd", "../other", "cells/../../x", "a//b", "./a", "a\\b", ""])
def test_a_path_that_leads_out_of_the_collection_is_refused(folder: Path, path: str) -> None:
    write(folder)
    content = json.loads((folder / "manifest.json").read_text())
    content["files"][path] = content["files"][RECORD]
    (folder / "manifest.json").write_text(json.dumps(content))
    with pytest.raises(BurstlabError, match="is not a path inside the collection"):
        read_manifest(folder)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "Not A Name"}, "name: "),
        ({"evidence": ["guessed"]}, "evidence"),
        ({"evidence": []}, "evidence"),
        ({"origin": ""}, "origin: "),
        ({"git_commit": "HEAD"}, "git_commit: "),
    ],
)
def test_a_value_that_does_not_fit_is_told_and_nothing_is_written(
    folder: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(BurstlabError, match=said):
        write(folder, **changes)
    assert not (folder / "manifest.json").exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": NaN}', "[" * 100_000])
def test_what_is_no_manifest_is_an_error_that_names_it(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    with pytest.raises(BurstlabError, match=r"manifest\.json"):
        read_manifest(folder)
