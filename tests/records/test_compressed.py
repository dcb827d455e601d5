from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.errors import BurstlabError
from burstlab.records import compressed
from burstlab.records.compressed import read_compressed, write_compressed


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=5000))
def test_what_is_written_is_read(tmp_path: Path, data: bytes) -> None:
    write_compressed(tmp_path / "raw.zst", data)
    assert read_compressed(tmp_path / "raw.zst") == data


def test_the_same_data_give_the_same_bytes_and_far_fewer(tmp_path: Path) -> None:
    for name in ("one.zst", "other.zst"):
        write_compressed(tmp_path / name, b"iteration\n" * 1000)
    one = (tmp_path / "one.zst").read_bytes()
    assert one == (tmp_path / "other.zst").read_bytes()
    assert len(one) < 100


@pytest.mark.parametrize("spoil", [lambda data: data[:-1], lambda data: b"no zstd", lambda data: data[:5]])
def test_a_damaged_file_is_named(tmp_path: Path, spoil: object) -> None:
    path = tmp_path / "raw.zst"
    write_compressed(path, b"iteration\n" * 1000)
    path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(BurstlabError, match=r"raw\.zst: cannot be read"):
        read_compressed(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"raw\.zst: cannot be read: No such file"):
        read_compressed(tmp_path / "raw.zst")


def test_a_small_file_that_stands_for_a_huge_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compressed, "MOST_BYTES", 1000)
    write_compressed(tmp_path / "raw.zst", bytes(1001))
    with pytest.raises(BurstlabError, match="holds more than 1000 bytes"):
        read_compressed(tmp_path / "raw.zst")
