"""The manifest of a collection: an edit shows, and one that somebody else sealed lists cells or is refused."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.fuzzing import fuzzed, read_or_refused
from tests.fuzz.mutated_bytes import mutated
from tests.fuzz.mutated_json import mutated_json, mutated_values
from tests.records.sample_cells import SampleCells

from burstlab.collections.manifest import MANIFEST_SHA256, check_manifest, read_manifest, write_manifest
from burstlab.collections.members import collected_cells
from burstlab.sealed import seal_of
from burstlab.study.load import load_study


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study with the collection `lab` of one cell."""
    root = tmp_path_factory.mktemp("study")
    folder = root / "collections/lab"
    samples = SampleCells(folder)
    samples.build(samples.cell())
    write_manifest(
        folder,
        name="lab",
        title="A lab",
        origin="made up",
        evidence=["measured"],
        versions={"vllm": ["0.32.0"]},
        hardware=[{"cpu": "some", "cores": 2}],
        git_commit=None,
    )
    return root


@pytest.fixture(scope="module")
def valid(root: Path) -> bytes:
    """Its manifest."""
    return (root / "collections/lab/manifest.json").read_bytes()


def unchanged_or_refused(root: Path, valid: bytes, data: bytes) -> None:
    folder = root / "collections/lab"
    (folder / "manifest.json").write_bytes(data)
    if read_or_refused(lambda: read_manifest(folder), "manifest.json") is not None:
        assert json.loads(data) == json.loads(valid)
        check_manifest(folder)


@fuzzed(200)
@given(st.data())
def test_no_damaged_bytes_are_taken(root: Path, valid: bytes, data: st.DataObject) -> None:
    unchanged_or_refused(root, valid, data.draw(mutated(valid)))


@fuzzed(200)
@given(st.data())
def test_no_edited_value_is_taken(root: Path, valid: bytes, data: st.DataObject) -> None:
    unchanged_or_refused(root, valid, data.draw(mutated_json(json.loads(valid))))


PLACES = (
    "cells/cell.json",
    "cells/a/cell.json",
    "cells//cell.json",
    "cells/a/b/c/d/e/f/g/h/cell.json",
    "cells/a/b/c/d/rate-1/burst-1/seed-0/cell.json",
    "cells/\x00/cell.json",
    "../x",
    "cells/../cell.json",
    "\ud800",
)


@fuzzed(200)
@given(st.data(), st.none() | st.sampled_from(PLACES))
def test_a_sealed_manifest_of_anything_has_whole_cells_or_none(
    root: Path, valid: bytes, data: st.DataObject, place: str | None
) -> None:
    content = data.draw(mutated_values(json.loads(valid)))
    if place is not None and isinstance(content.get("files"), dict):
        content["files"][place] = {"bytes": 2, "sha256": "0" * 64}
    content[MANIFEST_SHA256] = seal_of(content, MANIFEST_SHA256)
    (root / "collections/lab/manifest.json").write_text(json.dumps(content))
    study = load_study({"name": "s", "collections": ["lab"]}, [], root)
    found = read_or_refused(lambda: collected_cells(study, [], root / "index.json"), "collections/lab")
    for cell in found or ():
        assert (root / cell.record).is_file()
        assert len(cell.group) == 4
