from pathlib import Path

import pytest

from burstlab.environments.lock import lock
from burstlab.environments.recipe import Recipe
from burstlab.errors import BurstlabError

from .wheels import make_wheel, pin


@pytest.fixture
def offline(wheelhouse: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UV_NO_INDEX", "1")
    return wheelhouse


def test_roots_and_what_they_ask_for_are_pinned_but_for_what_is_excluded(
    offline: Path, tmp_path: Path
) -> None:
    wheels = [
        make_wheel(offline, "needed", "2.0"),
        make_wheel(offline, "root", "1.0", requires=("needed", "unwanted")),
    ]
    make_wheel(offline, "unwanted", "1.0")
    target = tmp_path / "envs" / "engine.txt"
    lock(Recipe(requires=("root",), excludes=("unwanted",)), target, tmp_path)
    assert target.read_text() == "".join(pin(wheel) for wheel in wheels)


def test_an_override_beats_what_a_package_asks_for(offline: Path, tmp_path: Path) -> None:
    make_wheel(offline, "needed", "2.0")
    make_wheel(offline, "needed", "1.0")
    make_wheel(offline, "root", "1.0", requires=("needed>=2",))
    lock(Recipe(requires=("root",), overrides=("needed==1.0",)), tmp_path / "engine.txt", tmp_path)
    assert "needed==1.0 " in (tmp_path / "engine.txt").read_text()


def test_a_version_that_still_fits_is_kept(offline: Path, tmp_path: Path) -> None:
    make_wheel(offline, "root", "1.0")
    lock(Recipe(requires=("root",)), tmp_path / "engine.txt", tmp_path)
    make_wheel(offline, "root", "1.1")
    lock(Recipe(requires=("root",)), tmp_path / "engine.txt", tmp_path)
    assert "root==1.0 " in (tmp_path / "engine.txt").read_text()
    lock(Recipe(requires=("root>=1.1",)), tmp_path / "engine.txt", tmp_path)
    assert "root==1.1 " in (tmp_path / "engine.txt").read_text()


def test_without_a_solution_the_lock_stays_and_the_package_is_named(offline: Path, tmp_path: Path) -> None:
    (tmp_path / "engine.txt").write_text("old")
    with pytest.raises(BurstlabError, match=r"engine\.txt: cannot be made[\s\S]*no-such-root"):
        lock(Recipe(requires=("no-such-root",)), tmp_path / "engine.txt", tmp_path)
    assert (tmp_path / "engine.txt").read_text() == "old"
