"""What Snakemake plans, without running anything."""

import subprocess
import sys
from pathlib import Path

import pytest


def dry_run(root: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    if not (folder / "envs").exists():
        (folder / "envs").symlink_to(root / "envs")
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--snakefile",
        str(root / "Snakefile"),
        "--directory",
        str(folder),
    ]
    return subprocess.run(
        [*command, "--cores", "all", "--dry-run", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ["config.yaml", "config/quick.yaml", "config/seed-study.yaml"])
def test_every_study_that_ships_can_be_planned_on_a_machine_without_a_gpu(
    root: Path, tmp_path: Path, name: str
) -> None:
    planned = dry_run(root, tmp_path, "--configfile", str(root / name), "--quiet", "all")
    assert planned.returncode == 0, planned.stdout[-2000:]


def test_the_console_tells_what_runs_and_no_bookkeeping(root: Path, tmp_path: Path) -> None:
    planned = dry_run(root, tmp_path, "--configfile", str(root / "config/quick.yaml"))
    assert "measuring " in planned.stdout
    assert "writing the report" in planned.stdout
    for noise in ("Reason:", "reason:", "Host:", "Job stats", "Provided cores", "rule all"):
        assert noise not in planned.stdout


def test_a_dry_run_names_the_cells_that_would_be_replaced(root: Path, tmp_path: Path) -> None:
    cell = "cpu/tiny-gqa/eager/quick-random-128-32/rate-8/burst-0.1/seed-1"
    (tmp_path / "results/cells" / cell).mkdir(parents=True)
    (tmp_path / "results/cells" / cell / "cell.json").write_text("{edited}")
    planned = dry_run(root, tmp_path, "--configfile", str(root / "config/quick.yaml"))
    assert planned.returncode == 0, planned.stdout[-2000:]
    assert "1 of them again (what is there moves to results/retired/)" in planned.stdout
    assert f"  again: {cell}: cell.json: " in planned.stdout


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("rates: [6]", "rates: [0]", "rates[0] = 0: a request rate must be above 0"),
        ("models: [tiny-gqa]", "models: [tiny-gpa]", "did you mean 'tiny-gqa'?"),
        ("blocks:\n", "blocks: [\n", "config.yaml:"),
    ],
)
def test_a_faulty_configuration_ends_in_one_message_before_any_job(
    root: Path, tmp_path: Path, old: str, new: str, said: str
) -> None:
    (tmp_path / "config.yaml").write_text((root / "config.yaml").read_text().replace(old, new, 1))
    planned = dry_run(root, tmp_path)
    assert planned.returncode == 1
    assert said in planned.stdout
    assert "Traceback" not in planned.stdout
    assert "Building DAG" not in planned.stdout


def test_a_setting_of_the_command_line_is_checked_as_well(root: Path, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text((root / "config.yaml").read_text())
    planned = dry_run(root, tmp_path, "--config", "naem=other")
    assert planned.returncode == 1
    assert "--config: naem" in planned.stdout


def test_the_workflows_profile_is_found_from_any_folder(root: Path, tmp_path: Path) -> None:
    # Without it a killed run leaves its folder locked, and one failing engine stops the others.
    planned = dry_run(root, tmp_path, "--configfile", str(root / "config.yaml"))
    assert "profiles/default for setting default command line arguments" in planned.stdout
