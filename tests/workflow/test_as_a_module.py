"""Another workflow imports this one and says what the study is: nothing here reads a `config.yaml` then."""

import subprocess
import sys
from pathlib import Path

import pytest

IMPORTING = """
import yaml

with open({study!r}) as file:
    study = yaml.safe_load(file)
study["name"] = "mine"
study["blocks"] = [study["blocks"][0] | {{"models": ["tiny-gqa"], "seeds": [7, 8]}}]


module burstlab:
    snakefile:
        {snakefile!r}
    config:
        study
    {more}


use rule * from burstlab as burstlab_*


rule mine:
    default_target: True
    input:
        "results/report.html",
    output:
        "mine.txt",
    shell:
        "cp {{input}} {{output}}"
"""


def planned(
    root: Path, folder: Path, snakefile: str = "Snakefile", more: str = "", targets: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    text = IMPORTING.format(study=str(root / "config/quick.yaml"), snakefile=str(root / snakefile), more=more)
    (folder / "Snakefile").write_text(text)
    command = [
        sys.executable,
        "-m",
        "snakemake",
        *targets,
        "--cores",
        "2",
        "--dry-run",
        "--directory",
        str(folder),
        # The default profile hides the reasons, which name files.
        "--workflow-profile",
        "none",
    ]
    return subprocess.run(
        [*command, "--snakefile", str(folder / "Snakefile")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("snakefile", ["Snakefile", "workflow/Snakefile"])
def test_a_workflow_that_imports_this_one_decides_on_its_cells(
    root: Path, tmp_path: Path, snakefile: str
) -> None:
    done = planned(root, tmp_path, snakefile)
    assert done.returncode == 0, done.stdout
    assert "rate-inf/burst-1/seed-7/cell.json" in done.stdout
    assert "rate-inf/burst-1/seed-0" not in done.stdout
    assert "tiny-gdn" not in done.stdout
    assert "burstlab_session_cpu--tiny-gqa" in done.stdout
    assert "mine.txt" in done.stdout


def test_its_rules_can_be_asked_for_under_their_new_names(root: Path, tmp_path: Path) -> None:
    done = planned(root, tmp_path, targets=("burstlab_archive",))
    assert done.returncode == 0, done.stdout
    assert "results/archives/study.zip" in done.stdout


def test_a_faulty_configuration_that_was_handed_over_is_told_in_one_message(
    root: Path, tmp_path: Path
) -> None:
    study = tmp_path / "study.yaml"
    study.write_text((root / "config/quick.yaml").read_text().replace("kvcache_gib:", "kvcache_gb:"))
    text = IMPORTING.format(study=str(study), snakefile=str(root / "Snakefile"), more="")
    (tmp_path / "Snakefile").write_text(text)
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--dry-run", "--directory", str(tmp_path)]
    done = subprocess.run(
        [*command, "--snakefile", str(tmp_path / "Snakefile")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "platforms.cpu.kvcache_gb" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_prefix_for_its_paths_is_refused_with_what_to_do_instead(root: Path, tmp_path: Path) -> None:
    done = planned(root, tmp_path, more='prefix:\n        "below"')
    assert done.returncode == 1
    assert "leave `prefix` and `replace_prefix` out" in done.stdout
    assert "--directory" in done.stdout
