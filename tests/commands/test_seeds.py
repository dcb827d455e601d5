import argparse
from pathlib import Path

import pytest
from tests.claims.made import cells, evidence

from burstlab import cli
from burstlab.commands import seeds
from burstlab.errors import BurstlabError


def asked(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    seeds.add_arguments(parser)
    return parser.parse_args(arguments)


@pytest.fixture
def results(tmp_path: Path) -> str:
    rows = cells(1.0, median_tpot_ms=40.0) + cells(0.1, median_tpot_ms=20.0)
    for row, factor in zip(rows[5:], (0.5, 1.0, 2.0, 1.5, 0.7), strict=True):
        row["p90_tpot_ms"] *= factor
    (tmp_path / "tables").mkdir()
    evidence(tmp_path / "tables", rows)
    return str(tmp_path)


def test_a_line_a_group_and_metric(results: str) -> None:
    text = seeds.run(asked("--results", results, "--metric", "median_tpot_ms", "--metric", "p90_tpot_ms"))
    steady, noisy = (line.split() for line in text.splitlines()[4:])
    assert steady[:4] == ["cpu/tiny-gqa/eager/random-256-32", "10/s", "measured", "median_tpot_ms"]
    assert (steady[4], steady[-1]) == ("5", "0")
    assert int(noisy[-1]) > 100


def test_fewer_seeds_for_a_larger_effect(results: str) -> None:
    few, many = (
        int(seeds.run(asked("--results", results, "--metric", "p90_tpot_ms", "--effect", size)).split()[-1])
        for size in ("1.0", "0.2")
    )
    assert few < many


def test_the_power_table_rises_to_the_right(results: str) -> None:
    text = seeds.run(asked("--results", results, "--metric", "p90_tpot_ms", "--power-table"))
    row = [int(cell.rstrip("%")) for cell in text.splitlines()[-1].split()[1:]]
    assert row == sorted(row)
    assert row[0] < row[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--effect", "0"], r"--effect 0: must be above 0"),
        (["--power", "1"], r"--power 1: must be between"),
        (["--metric", "speed"], r"--metric speed: .*cells\.parquet has no such column"),
    ],
)
def test_mistakes_are_named(results: str, arguments: list[str], message: str) -> None:
    with pytest.raises(BurstlabError, match=message):
        seeds.run(asked("--results", results, *arguments))


def test_without_pairs_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    evidence(tmp_path / "tables", cells(1.0))
    assert seeds.run(asked("--results", str(tmp_path))).endswith(
        "No two burstinesses share two counted seeds."
    )


def test_it_is_a_subcommand(results: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["seeds", "--results", results]) == 0
    assert "p90_tpot_ms" in capsys.readouterr().out


def two_seeds(tmp_path: Path, **changes: str) -> str:
    rows = cells(1.0, median_tpot_ms=40.0)[:2] + cells(0.1, median_tpot_ms=20.0)[:2]
    (tmp_path / "few/tables").mkdir(parents=True)
    evidence(tmp_path / "few/tables", [{**row, **changes} for row in rows])
    return str(tmp_path / "few")


def test_what_rests_on_two_seeds_is_in_doubt(tmp_path: Path, results: str) -> None:
    text = seeds.run(asked("--results", two_seeds(tmp_path), "--metric", "median_tpot_ms"))
    line, _, doubt = text.splitlines()[4:]
    assert line.split()[4] == "2"
    assert line.split()[7].endswith("?")
    assert doubt.startswith("?: 1 of 1 line from fewer than 3 seeds")
    assert "?" not in seeds.run(asked("--results", results))


def test_columns_stand_below_their_heads_however_long_the_names(tmp_path: Path) -> None:
    long = two_seeds(tmp_path, workload="w" * 80)
    text = seeds.run(asked("--results", long, "--metric", "median_tpot_ms"))
    head, line = text.splitlines()[3:5]
    assert len(head) == len(line)
    assert head.index("metric") == line.index("median_tpot_ms")
    assert head.index("seeds") + len("seeds") == line.index(" 2 ") + 2
