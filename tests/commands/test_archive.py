from pathlib import Path

import pytest

from burstlab.archive.targets import archive_file
from burstlab.errors import BurstlabError


@pytest.mark.parametrize(
    ("selection", "path"),
    [
        (None, "results/archives/study.zip"),
        ("cpu/tiny-gqa", "results/archives/cpu/tiny-gqa.zip"),
        ("cpu/tiny-gqa/", "results/archives/cpu/tiny-gqa.zip"),
    ],
)
def test_an_archive_is_where_the_workflow_makes_it(selection: str | None, path: str) -> None:
    assert archive_file(selection) == Path(path)


@pytest.mark.parametrize("pattern", ["*/burst-0.1/*", "cpu/tiny-?", "cpu/[ab]"])
def test_no_file_is_named_after_a_pattern(pattern: str) -> None:
    with pytest.raises(BurstlabError, match=r"a pattern is no name of a file; give one by --output FILE"):
        archive_file(pattern)
