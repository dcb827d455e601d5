from pathlib import Path
from typing import Any

from burstlab.study.shipped import find_shipped_locks


def found(tmp_path: Path, lock: str) -> str:
    config: dict[str, Any] = {"environments": {"e": {"lock": lock}}}
    find_shipped_locks(config, tmp_path / "study", tmp_path / "checkout")
    return str(config["environments"]["e"]["lock"])


def test_a_lock_of_the_study_wins_over_one_that_ships(tmp_path: Path) -> None:
    for folder in ("study", "checkout"):
        (tmp_path / folder).mkdir()
    assert found(tmp_path, "a.txt") == "a.txt"
    (tmp_path / "checkout/a.txt").touch()
    assert found(tmp_path, "a.txt") == str(tmp_path / "checkout/a.txt")
    (tmp_path / "study/a.txt").touch()
    assert found(tmp_path, "a.txt") == "a.txt"


def test_what_is_no_configuration_is_left_as_it_is(tmp_path: Path) -> None:
    for config in (
        {},
        {"environments": None},
        {"environments": {"e": 3}},
        {"environments": {"e": {"lock": 3}}},
    ):
        before = repr(config)
        find_shipped_locks(config, tmp_path, tmp_path)
        assert repr(config) == before
