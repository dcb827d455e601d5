"""Archives and files from elsewhere: what is imported is a whole collection of whole cells, or nothing is."""

import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.archive.conftest import SmallStudy
from tests.fuzz.fuzzing import fuzzed, read_or_refused
from tests.fuzz.mutated_bytes import mutated
from tests.fuzz.mutated_json import mutated_json

from burstlab.archive.metadata import METADATA
from burstlab.archive.pack import pack
from burstlab.collections.manifest import check_manifest
from burstlab.imports.collect import Collected, collect
from burstlab.imports.names import Named
from burstlab.records.cell_record import check_folder, read_record


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the archive `valid.zip` of two cells."""
    folder = tmp_path_factory.mktemp("lab")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        pack(SmallStudy().config, Path("valid.zip"))
        yield folder


def whole_or_refused(lab: Path, source: Path) -> Collected | None:
    root = lab / "root"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    found = read_or_refused(lambda: collect(source, root, "back", Named()), source.name)
    if found is None:
        assert [path for path in root.rglob("*") if path.is_file()] == []
        return None
    check_manifest(found.folder)
    assert found.outcome.cells
    for cell in found.outcome.cells:
        record = read_record(found.folder / "cells" / cell / "cell.json")
        check_folder(found.folder / "cells" / cell, record.cell.cell())
    return found


@fuzzed(60)
@given(st.data())
def test_damaged_bytes(lab: Path, data: st.DataObject) -> None:
    damaged = lab / "damaged.zip"
    damaged.write_bytes(data.draw(mutated((lab / "valid.zip").read_bytes())))
    whole_or_refused(lab, damaged)


@fuzzed(60)
@given(st.data())
def test_a_damaged_directory_of_the_zip(lab: Path, data: st.DataObject) -> None:
    valid = (lab / "valid.zip").read_bytes()
    start = valid.index(b"PK\x01\x02")
    damaged = lab / "damaged.zip"
    damaged.write_bytes(valid[:start] + data.draw(mutated(valid[start:])))
    whole_or_refused(lab, damaged)


@fuzzed(40)
@given(st.data(), st.sampled_from((METADATA, "cell.json")))
def test_wrong_values_in_metadata_and_records(lab: Path, data: st.DataObject, name: str) -> None:
    damaged = lab / "damaged.zip"
    with zipfile.ZipFile(lab / "valid.zip") as old, zipfile.ZipFile(damaged, "w") as new:
        spoilt = next(entry.filename for entry in old.infolist() if entry.filename.endswith(name))
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename == spoilt:
                content = data.draw(mutated_json(json.loads(content)))
            new.writestr(entry, content)
    whole_or_refused(lab, damaged)
