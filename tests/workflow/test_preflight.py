"""What a run says before it starts anything: of sessions that cannot succeed, and of what is no configuration."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

STUDY = {
    "name": "hopeless",
    "platforms": {
        "cpu": {"kind": "cpu", "kvcache_gib": 100000.0, "cores": 1},
        "gpu": {"kind": "cuda", "gpus": 1, "gpu_model": "h200"},
    },
    "environments": {"mine": {"python": "/no/python"}},
    "models": {"m": {"path": "/no/model"}},
    "engines": {"plain": {"environment": "mine"}},
    "workloads": {"short": {"dataset": "random", "requests": 2, "input_tokens": 8, "output_tokens": 4}},
    "blocks": [
        {
            "platforms": ["cpu", "gpu"],
            "models": ["m"],
            "engines": ["plain"],
            "workloads": ["short"],
            "rates": [1],
            "burstiness": [1.0],
            "seeds": [0],
        }
    ],
}


def run(
    root: Path, folder: Path, *arguments: str, programs: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Snakemake in `folder`, where `programs`, shell scripts by name, hide those of this machine."""
    bin_folder = folder / "bin"
    bin_folder.mkdir(exist_ok=True)
    for name, text in (programs or {}).items():
        (bin_folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (bin_folder / name).chmod(0o755)
    command = [
        *(sys.executable, "-m", "snakemake", "--snakefile", str(root / "Snakefile")),
        *("--directory", str(folder), "--cores", "1", *arguments),
    ]
    return subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a study of which no session can succeed."""
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(STUDY, sort_keys=False))
    return tmp_path


NO_GPU = {"nvidia-smi": "echo No devices were found; exit 6"}


def test_all_faults_are_told_at_once_and_nothing_is_started(root: Path, folder: Path) -> None:
    ran = run(root, folder, programs=NO_GPU)
    assert ran.returncode == 1
    for said in (
        "config.yaml:13: environments.mine.python = '/no/python': /no/python is not a program; ",
        "config.yaml:16: models.m.path = '/no/model': /no/model is not a folder; ",
        "config.yaml:5: platforms.cpu.kvcache_gib = 100000.0: ",
        "config.yaml:9: platforms.gpu.gpus = 1: no GPU can be used on this machine: nvidia-smi failed: No devices",
        "nothing was started",
    ):
        assert said in ran.stdout
    assert "Traceback" not in ran.stdout
    assert not (folder / "logs").exists()


def test_the_right_gpus_are_no_fault(root: Path, folder: Path) -> None:
    smi = 'case "$1" in --query-gpu*) echo "0, GPU-a, NVIDIA H200, 580.82.07, 143771, 1";; esac'
    ran = run(root, folder, "measure_gpu", programs={"nvidia-smi": smi})
    assert ran.returncode == 1
    assert "environments.mine.python" in ran.stdout
    assert "platforms." not in ran.stdout.partition("WorkflowError")[2]


def test_a_dry_run_asks_for_nothing(root: Path, folder: Path) -> None:
    ran = run(root, folder, "--dry-run", programs={"nvidia-smi": "touch asked; exit 1"})
    assert ran.returncode == 0, ran.stdout[-2000:]
    assert not (folder / "asked").exists()


def test_with_sessions_on_other_machines_this_one_is_not_asked(root: Path, folder: Path) -> None:
    refused = "echo no jobs here >&2; exit 1"
    programs = {"nvidia-smi": "touch asked; exit 1"} | dict.fromkeys(
        ("sbatch", "sacct", "squeue", "scontrol", "sinfo", "scancel"), refused
    )
    ran = run(root, folder, "--executor", "slurm", "--jobs", "2", programs=programs)
    assert "warning: config.yaml:13: environments.mine.python = '/no/python'" in ran.stdout
    assert "nothing was started" not in ran.stdout
    assert not (folder / "asked").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "config.yaml: cannot read this configuration: No such file or directory"),
        (
            b"# nothing\n",
            "config.yaml:1: a configuration must be a mapping of keys to values; this file is empty",
        ),
        (b"name: \xff\n", "config.yaml: cannot read this configuration: it is no UTF-8 text"),
        (b"- a\n", "config.yaml:1: a configuration must be a mapping of keys to values; this is a list"),
    ],
)
def test_what_is_no_configuration_is_one_message(
    root: Path, tmp_path: Path, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / "config.yaml").write_bytes(content)
    ran = run(root, tmp_path, "--dry-run")
    assert ran.returncode == 1
    assert said in ran.stdout
    assert "Traceback" not in ran.stdout


@pytest.mark.parametrize("content", [None, b"name: \xff\n"])
def test_snakemake_itself_refuses_what_configfile_names_if_it_is_none(
    root: Path, tmp_path: Path, content: bytes | None
) -> None:
    # It reads the file before it reads this workflow, so these are its words; `burstlab check` has better ones.
    if content is not None:
        (tmp_path / "other.yaml").write_bytes(content)
    ran = run(root, tmp_path, "--dry-run", "--configfile", "other.yaml")
    assert ran.returncode == 1
    assert "Building DAG" not in ran.stdout
