from pathlib import Path

import pytest

from burstlab import cli

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_cells_are_listed_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cells", "--config", "config/quick.yaml"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "cpu/tiny-gqa/eager/quick-random-128-32/rate-inf/burst-1/seed-0"
    assert len(lines) == len(set(lines))


def test_a_good_configuration_is_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--config", "config.yaml"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("config.yaml: study default has ")
    assert " cells in 7 sessions and 104 profiled runs in 7 sessions\n" in out


def test_a_file_that_is_not_there_is_an_error_without_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--config", "nowhere.yaml"]) == 1
    assert (
        capsys.readouterr().err == "nowhere.yaml: cannot read this configuration: No such file or directory\n"
    )
