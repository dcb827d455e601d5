import json
from pathlib import Path

import pytest

from burstlab.files import atomic_write_bytes, atomic_write_json, atomic_write_text, sha256_of


def test_text_is_written_as_utf8_into_folders_that_are_made(tmp_path: Path) -> None:
    atomic_write_text(tmp_path / "a" / "b.txt", "1/√b")
    assert (tmp_path / "a" / "b.txt").read_bytes() == b"1/\xe2\x88\x9ab"


def test_a_new_content_replaces_the_old_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "cell.json"
    atomic_write_bytes(file, b"a long old content")
    atomic_write_bytes(file, b"new")
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


def test_a_failed_write_keeps_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "cell.json"
    atomic_write_text(file, "old")

    def fail(self: Path, target: Path) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        atomic_write_text(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_files_have_the_permissions_that_any_new_file_gets(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    atomic_write_text(tmp_path / "atomic", "")
    assert (tmp_path / "atomic").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_json_has_a_final_newline_and_no_infinity(tmp_path: Path) -> None:
    atomic_write_json(tmp_path / "x.json", {"b": [1, "√"]})
    text = (tmp_path / "x.json").read_text()
    assert json.loads(text) == {"b": [1, "√"]}
    assert text.endswith("]\n}\n")
    with pytest.raises(ValueError, match="not JSON compliant"):
        atomic_write_json(tmp_path / "x.json", float("inf"))


def test_the_checksum_is_sha256(tmp_path: Path) -> None:
    # The SHA-256 of "abc", from FIPS 180-2, appendix B.1.
    (tmp_path / "abc").write_bytes(b"abc")
    assert sha256_of(tmp_path / "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
