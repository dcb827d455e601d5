from pathlib import Path

import pytest

from burstlab.archive.privacy import Watch
from burstlab.archive.zip_file import CHUNK, Member, write_zip
from burstlab.errors import BurstlabError


def test_a_file_that_changes_while_it_is_packed_spoils_nothing(tmp_path: Path) -> None:
    source, target = tmp_path / "a.json", tmp_path / "a.zip"
    source.write_text("{}")
    member = Member("a.json", source, 2, "0" * 64)
    with pytest.raises(BurstlabError, match="changed while it was packed"):
        write_zip(target, [member], Watch())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json"]


def test_a_token_on_the_border_of_two_chunks_is_seen(tmp_path: Path) -> None:
    text = " " * (CHUNK - 5) + "hf_" + "b" * 40
    with pytest.raises(BurstlabError, match="access token"):
        write_zip(tmp_path / "a.zip", [Member.of_text("a.json", text)], Watch())
