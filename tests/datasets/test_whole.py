"""Damaged prompts and timestamps are noticed before anything is measured with them, and prepared anew."""

from pathlib import Path

import pytest

from burstlab.datasets.prepare import prepare
from burstlab.datasets.whole import damage, read_whole
from burstlab.errors import BurstlabError
from burstlab.study.schema import Dataset

ENTRY = Dataset(source="synthetic-sharegpt", rows=20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    prepare("talk", ENTRY, tmp_path / "talk")
    return tmp_path / "talk"


def test_a_dataset_as_it_was_prepared_is_whole(folder: Path) -> None:
    assert read_whole(folder).rows_kept == 20
    assert damage(folder) is None


def test_one_changed_letter_is_damage(folder: Path) -> None:
    data = folder / "data.json"
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
    with pytest.raises(BurstlabError, match=r"data\.json is not the file that dataset\.json beside it lists"):
        read_whole(folder)


@pytest.mark.parametrize("name", ["data.json", "dataset.json"])
def test_a_file_cut_short_is_damage(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(path.read_bytes()[:-5])
    assert name in (damage(folder) or "")


def test_a_missing_file_is_damage_and_a_missing_dataset_is_none(folder: Path) -> None:
    (folder / "data.json").unlink()
    assert "data.json: cannot be read" in (damage(folder) or "")
    (folder / "dataset.json").unlink()
    assert damage(folder) is None


def test_what_was_damaged_is_whole_after_it_is_prepared_anew(folder: Path) -> None:
    path = folder / "data.json"
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    assert damage(folder) is not None
    prepare("talk", ENTRY, folder)
    assert damage(folder) is None
    assert path.read_bytes() == whole
