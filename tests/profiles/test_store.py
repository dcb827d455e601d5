import re
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from tests.profiles.nsys_made import two_iterations

from burstlab.errors import BurstlabError
from burstlab.profiles.families import rules
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


def test_families_are_those_of_todays_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kernels.parquet"
    profile = read_profile(two_iterations().sqlite(tmp_path / "report.sqlite"))
    write_launches(path, profile.launches)
    rule = replace(rules()[0], family="moe", pattern=re.compile("nvjet_gemm"))
    monkeypatch.setattr("burstlab.profiles.families.rules", lambda: (rule,))
    again = read_launches(path)
    named = dict(zip(again["name"].to_pylist(), again["family"].to_pylist(), strict=True))
    assert named.pop("nvjet_gemm") == "moe"
    assert set(named.values()) == {None}
    assert set(again["part"].to_pylist()) == {"moe", None}
    assert again.drop_columns(["family", "part"]) == profile.launches.drop_columns(["family", "part"])


def test_a_size_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "kernels.parquet"
    launches = read_profile(two_iterations().sqlite(tmp_path / "report.sqlite")).launches
    place = LAUNCHES.get_field_index("grid")
    wrong = pa.array(["1x2"] * launches.num_rows).cast(LAUNCHES.field("grid").type)
    write_launches(path, launches.set_column(place, LAUNCHES.field("grid"), wrong))
    with pytest.raises(BurstlabError, match=r"kernels\.parquet: a grid is no size"):
        read_launches(path)


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
