"""`timestamps.csv`: written from what a source says, read by column name."""

from pathlib import Path

import numpy as np
import pytest

from burstlab.datasets.timestamps import read_timestamps_s, write_timestamps
from burstlab.errors import BurstlabError


def test_arrivals_start_at_zero_and_ascend(tmp_path: Path) -> None:
    write_timestamps(tmp_path, np.array([9.5, 7.0, 9.5]), np.array([1, 2, 3]), np.array([4, 5, 6]))
    assert (tmp_path / "timestamps.csv").read_text().splitlines()[1:] == ["0,2,5", "2.5,1,4", "2.5,3,6"]
    assert read_timestamps_s(tmp_path).tolist() == [0.0, 2.5, 2.5]


def test_columns_are_found_by_name(tmp_path: Path) -> None:
    (tmp_path / "timestamps.csv").write_text("input_tokens,arrival_s\n3,0\n4,0.5\n")
    assert read_timestamps_s(tmp_path).tolist() == [0.0, 0.5]


@pytest.mark.parametrize(
    "content", ["", "other\n1\n", "arrival_s\nsoon\n", "a,arrival_s\n1\n", "a,arrival_s\n1,\n"]
)
def test_unreadable_timestamps_name_the_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "timestamps.csv").write_text(content)
    with pytest.raises(BurstlabError, match=r"timestamps\.csv"):
        read_timestamps_s(tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"timestamps\.csv"):
        read_timestamps_s(tmp_path)
