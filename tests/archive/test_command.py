"""`burstlab archive`, as it is typed."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from burstlab import cli


def test_archives_of_the_study_and_of_cells_are_where_the_workflow_makes_them(
    small_study: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("my.yaml").write_text(yaml.safe_dump(small_study.config))
    assert cli.main(["archive", "--config", "my.yaml"]) == 0
    assert cli.main(["archive", "--config", "my.yaml", "--cells", f"{small_study.cells[0].id}"]) == 0
    whole, one = capsys.readouterr().out.splitlines()
    assert whole.startswith("results/archives/study.zip: 2 cells, ")
    assert one.startswith(f"results/archives/{small_study.cells[0].id}.zip: 1 cell, ")
    assert Path("results/archives/study.zip").is_file()
    assert Path(f"results/archives/{small_study.cells[0].id}.zip").is_file()


def test_a_pattern_needs_a_name_and_none_is_made_of_it(
    small_study: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("my.yaml").write_text(yaml.safe_dump(small_study.config))
    assert cli.main(["archive", "--config", "my.yaml", "--cells", "*/seed-1"]) == 1
    assert "give one by --output FILE" in capsys.readouterr().err
    assert cli.main(["archive", "--config", "my.yaml", "--cells", "*/seed-1", "--output", "one.zip"]) == 0
    assert Path("one.zip").is_file()
