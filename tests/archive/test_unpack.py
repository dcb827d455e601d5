import json
import shutil
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.archive.pack import pack
from burstlab.archive.unpack import opened
from burstlab.collections.manifest import check_manifest
from burstlab.errors import BurstlabError
from burstlab.imports.collect import collect
from burstlab.imports.names import Named

ZIP = Path("study.zip")


def changed(source: Path, target: Path, name: str, content: bytes | None) -> None:
    """Copy an archive, with the file `name` replaced, or left out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.infolist():
            if entry.filename != name:
                new.writestr(entry, old.read(entry))
            elif content is not None:
                new.writestr(entry, content)


def hostile(path: Path, entry: zipfile.ZipInfo, content: bytes = b"x") -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ro-crate-metadata.json", json.dumps({"@graph": []}))
        archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


def test_what_was_packed_comes_back_as_it_was(small_study: Any, tmp_path: Path) -> None:
    pack(small_study.config, ZIP)
    made = collect(ZIP, tmp_path, "back", Named())
    assert made.outcome.refused == {}
    check_manifest(made.folder)
    for number in (0, 1):
        own = small_study.folder(number)
        for path in own.iterdir():
            copy = made.folder / "cells" / small_study.cells[number].id / path.name
            assert copy.read_bytes() == path.read_bytes()


def test_a_changed_file_is_refused_and_the_other_cell_taken(small_study: Any, tmp_path: Path) -> None:
    pack(small_study.config, ZIP)
    name = small_study.cells[0].id
    bench = small_study.folder(0) / "bench.json"
    changed(
        ZIP, Path("bad.zip"), f"results/cells/{name}/bench.json", bench.read_bytes().replace(b"4.0", b"5.0")
    )
    made = collect(Path("bad.zip"), tmp_path, "back", Named())
    assert made.outcome.cells == [small_study.cells[1].id]
    assert "bench.json: is damaged: it does not have the sha256" in made.outcome.refused[name]
    assert not (made.folder / "cells" / name / "bench.json").exists()


def test_a_missing_file_is_named(small_study: Any, tmp_path: Path) -> None:
    pack(small_study.config, ZIP)
    name = small_study.cells[0].id
    changed(ZIP, Path("bad.zip"), f"results/cells/{name}/requests.parquet", None)
    made = collect(Path("bad.zip"), tmp_path, "back", Named())
    assert "requests.parquet: is missing" in made.outcome.refused[name]


def test_names_cannot_be_given_for_an_archive(small_study: Any, tmp_path: Path) -> None:
    pack(small_study.config, ZIP)
    with pytest.raises(BurstlabError, match="--platform: the cells of an archive have their names"):
        collect(ZIP, tmp_path, "back", Named(platform="lab"))


@pytest.mark.parametrize("name", ["../evil", "/evil", "a/../../evil", "a\\..\\evil", "C:evil"])
def test_a_path_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    hostile(tmp_path / "a.zip", zipfile.ZipInfo(name))
    with pytest.raises(BurstlabError, match="is no path inside the archive"), opened(tmp_path / "a.zip"):
        pass


def test_a_link_is_refused(tmp_path: Path) -> None:
    entry = zipfile.ZipInfo("link")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    hostile(tmp_path / "a.zip", entry, b"/etc/passwd")
    with pytest.raises(BurstlabError, match="is a link"), opened(tmp_path / "a.zip"):
        pass


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    hostile(tmp_path / "a.zip", zipfile.ZipInfo("zeros"), bytes(50 << 20))
    with pytest.raises(BurstlabError, match="as a zip bomb does"), opened(tmp_path / "a.zip"):
        pass


def test_a_file_longer_than_listed_is_not_read_to_its_end(tmp_path: Path) -> None:
    listing = [{"@id": "a.json", "@type": "File", "contentSize": "3", "sha256": "0" * 64}]
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("ro-crate-metadata.json", json.dumps({"@graph": listing}))
        archive.writestr("a.json", "12345")
    with (
        opened(tmp_path / "a.zip") as archive,
        pytest.raises(BurstlabError, match="has more than 3 bytes"),
    ):
        archive.extract("a.json", tmp_path / "out")


@given(cut=st.integers(0, 20_000), flip=st.integers(0, 20_000))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_archive_imports_whole_cells_or_says_why(
    small_study: Any, tmp_path: Path, cut: int, flip: int
) -> None:
    if not ZIP.exists():
        pack(small_study.config, ZIP, cells="cpu")
    data = bytearray(ZIP.read_bytes())
    data[-1 - flip % len(data)] ^= 0x55
    bad = Path("bad.zip")
    bad.write_bytes(data[: len(data) - cut] if cut % 2 else data)
    try:
        made = collect(bad, tmp_path, f"n{cut}-{flip}", Named())
    except BurstlabError:
        return
    check_manifest(made.folder)
    for cell in made.outcome.cells:
        for path in (made.folder / "cells" / cell).iterdir():
            assert path.read_bytes() == (small_study.results / "cells" / cell / path.name).read_bytes()
    shutil.rmtree(made.folder)


def test_an_archive_holds_the_collections_that_its_figures_show(small_study: Any, tmp_path: Path) -> None:
    pack(small_study.config, ZIP, cells="*/seed-1")
    (tmp_path / "lab").mkdir()
    collect(ZIP, tmp_path, "other", Named())
    shutil.rmtree(small_study.results / "cells")
    alone = {"name": "alone", "collections": "all"}
    packed = pack(alone, Path("alone.zip"), results=small_study.results)
    assert packed.cells == 0
    made = collect(Path("alone.zip"), tmp_path / "elsewhere", None, Named())
    assert made.folder == tmp_path / "elsewhere/collections/alone"
    assert made.outcome.cells == [small_study.cells[1].id]
    check_manifest(made.folder)
