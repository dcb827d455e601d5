"""The rules of exact batches, as Snakemake plans them."""

import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def planned(folder: Path, *arguments: str) -> str:
    (folder / "envs").symlink_to(ROOT / "envs")
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--cores", "2"]
    done = subprocess.run(
        [*command, "--dry-run", "--directory", str(folder), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_study_with_profiled_runs_times_exact_batches_and_draws_them(tmp_path: Path) -> None:
    plan = planned(tmp_path, "--configfile", str(ROOT / "config/quick.yaml"))
    for message in (
        "timing exact batches of cpu/tiny-gqa/eager",
        "building the table of exact batches",
        "drawing Figure X of 1 group",
    ):
        assert message in plan


def test_a_study_without_any_has_none(tmp_path: Path) -> None:
    config = yaml.safe_load((ROOT / "config/quick.yaml").read_text())
    del config["profiles"]
    (tmp_path / "my.yaml").write_text(yaml.safe_dump(config))
    plan = planned(tmp_path, "--configfile", str(tmp_path / "my.yaml"))
    assert "exact batches" not in plan
    assert "Figure X" not in plan
    assert "Figure T" not in plan
