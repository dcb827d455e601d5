from pathlib import Path

import pytest
from tests.profiles.nsys_made import two_iterations

from burstlab.errors import BurstlabError
from burstlab.profiles.read import read_profile
from burstlab.profiles.schema import LAUNCHES
from burstlab.profiles.store import read_launches, write_launches
from burstlab.records.parquet import write_parquet


def test_launches_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burstlab.profiles.store.ROWS", 2)
    profile = read_profile(two_iterations().sqlite(tmp_path / "report.sqlite"))
    write_launches(tmp_path / "kernels.parquet", profile.launches)
    again = read_launches(tmp_path / "kernels.parquet")
    assert again.schema == LAUNCHES
    assert again.to_pylist() == profile.launches.to_pylist()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kernels.parquet", "report.sqlite"]


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "kernels.parquet"
    path.write_text("old")
    profile = read_profile(two_iterations().sqlite(tmp_path / "report.sqlite"))
    with pytest.raises(ValueError, match="schema"):
        write_launches(path, profile.launches.select(["name"]))
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


def test_files_that_are_no_launches(tmp_path: Path) -> None:
    path = tmp_path / "kernels.parquet"
    path.write_text("old")
    with pytest.raises(BurstlabError, match=r"kernels\.parquet: not a readable Parquet file"):
        read_launches(path)
    write_parquet(path, LAUNCHES.empty_table().select(["name"]))
    with pytest.raises(BurstlabError, match=r"columns start_us, .* were expected, it has name"):
        read_launches(path)
