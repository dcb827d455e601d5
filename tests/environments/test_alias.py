import base64
import csv
import hashlib
from importlib import metadata
from pathlib import Path

import pytest

from burstlab.environments.alias import install_alias


def test_software_that_asks_for_its_version_gets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_alias("vllm", "0.32.0+cpu", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert metadata.version("vllm") == "0.32.0+cpu"


def test_its_record_lists_each_file_with_the_hash_that_it_has(tmp_path: Path) -> None:
    install_alias("some-name", "1", tmp_path)
    record = (tmp_path / "some_name-1.dist-info" / "RECORD").read_text()
    rows = list(csv.reader(record.splitlines()))
    assert {path for path, _, _ in rows} == {
        str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()
    }
    for path, digest, size in rows:
        content = (tmp_path / path).read_bytes()
        encoded = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
        assert path.endswith("RECORD") or (digest, int(size)) == (
            f"sha256={encoded.rstrip('=')}",
            len(content),
        )
