"""What `make figures` says before it draws, with programs in place of Snakemake and burstlab that only tell that they ran."""

import shutil
import subprocess
from pathlib import Path


def made(root: Path, folder: Path) -> list[str]:
    shutil.copy(root / "Makefile", folder)
    programs = folder / ".venv/bin"
    programs.mkdir(parents=True, exist_ok=True)
    for name in ("snakemake", "burstlab"):
        (programs / name).write_text(f"#!/bin/sh\necho ran {name}\n")
        (programs / name).chmod(0o755)
    done = subprocess.run(
        ["make", "--no-print-directory", "figures", "PYTHON=true"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_it_says_what_becomes_of_ones_own_report_before_it_draws(root: Path, tmp_path: Path) -> None:
    assert made(root, tmp_path) == ["ran snakemake", "ran burstlab"]
    (tmp_path / "results/cells").mkdir(parents=True)
    told, *ran = made(root, tmp_path)
    assert told.startswith(
        "results/report.html, tables, figures and verdicts will be those of the cells that ship;"
    )
    assert told.endswith("make study draws your own again")
    assert ran == ["ran snakemake", "ran burstlab"]
