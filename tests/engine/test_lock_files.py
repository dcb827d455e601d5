"""Lock files that all users of a machine can take, wherever and by whomever they were made."""

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from burstlab.engine import lock_files
from burstlab.engine.lock_files import lease_folder, open_lock
from burstlab.errors import BurstlabError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BURSTLAB_LEASES", str(tmp_path / "leases"))
    return tmp_path / "leases"


@pytest.fixture
def strict_umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("strict_umask")
def test_folder_and_files_are_for_all_users_whatever_the_umask(folder: Path) -> None:
    os.close(open_lock("GPU-1"))
    assert mode(folder) == 0o1777
    assert mode(folder / "GPU-1.lock") == 0o666
    assert [path.name for path in folder.iterdir()] == ["GPU-1.lock"]


def test_an_existing_file_is_opened_without_asking_to_create_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Asked to create what is there, Linux refuses other users' files in a folder that all can write to.
    os.close(open_lock("GPU-1"))
    asked: list[int] = []
    real_open = os.open

    def remember(path: Path, flags: int, *rest: int) -> int:
        asked.append(flags)
        return real_open(path, flags, *rest)

    monkeypatch.setattr(os, "open", remember)
    os.close(open_lock("GPU-1"))
    assert [flags & os.O_CREAT for flags in asked] == [0]


def test_the_folder_does_not_depend_on_the_job(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BURSTLAB_LEASES", raising=False)
    monkeypatch.setattr(lock_files, "DEFAULT", tmp_path / "shared")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "job-1"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert lease_folder() == tmp_path / "shared"


def test_a_lock_that_cannot_be_opened_is_named_with_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(BurstlabError, match=r"GPU-1\.lock: Permission denied; .*BURSTLAB_LEASES"):
        open_lock("GPU-1")


def test_a_link_in_place_of_a_lock_is_not_followed(folder: Path, tmp_path: Path) -> None:
    lease_folder()
    (tmp_path / "precious").write_text("x")
    (folder / "GPU-1.lock").symlink_to(tmp_path / "precious")
    with pytest.raises(BurstlabError, match=r"GPU-1\.lock"):
        open_lock("GPU-1")
    assert (tmp_path / "precious").read_text() == "x"


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BURSTLAB_LEASES", str(tmp_path / "file" / "leases"))
    with pytest.raises(BurstlabError, match="Not a directory"):
        lease_folder()
