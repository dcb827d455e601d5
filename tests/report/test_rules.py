"""The rules for figures and report, run by Snakemake on made-up tables."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.figures import synthetic_tables as made

ROOT = Path(__file__).parents[2]
SNAKEFILE = """
from pathlib import Path
from types import SimpleNamespace

RESULTS = "results"
COLLECTED = PROFILED_RUNS = COLLECTED_RUNS = OWN_EXACT_BATCHES = COLLECTED_EXACT_BATCHES = ()
CELLS = tuple(SimpleNamespace(group=("cpu", model, "eager", "chat")) for model in ("a", "b", "a"))
STUDY = SimpleNamespace(
    name="tried",
    root=Path(),
    collections=(),
    datasets={{"prompts": SimpleNamespace(source="synthetic-sharegpt")}},
    workloads={{"chat": SimpleNamespace(dataset="prompts")}},
)

include: "{root}/workflow/rules/figures.smk"
include: "{root}/workflow/rules/claims.smk"
include: "{root}/workflow/rules/regimes.smk"
include: "{root}/workflow/rules/simulation.smk"
include: "{root}/workflow/rules/report.smk"
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    cells = [made.cell(seed, group=("cpu", model, "eager", "chat")) for model in "ab" for seed in range(2)]
    made.write_tables(tmp_path / "results" / "tables", cells)
    made.write_records(tmp_path / "results", cells)
    (tmp_path / "Snakefile").write_text(SNAKEFILE.format(root=ROOT))
    return tmp_path


def snakemake(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "workflow")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout + done.stderr


def test_one_job_draws_all_groups_and_a_second_run_has_nothing_to_do(study: Path) -> None:
    target = "results/figures/fig3/cpu--a--eager--chat.svg"
    output = snakemake(study, target)
    assert output.count("Finished jobid") == 1
    drawn = sorted(path.name for path in (study / "results" / "figures" / "fig3").iterdir())
    assert drawn == [f"cpu--{model}--eager--chat.{suffix}" for model in "ab" for suffix in ("csv", "svg")]
    assert "chat (synthetic-sharegpt)" in (study / target).read_text()
    assert "Nothing to be done" in snakemake(study, target)


def test_the_page_asks_for_every_figure(study: Path) -> None:
    plan = snakemake(study, "--dry-run", "results/report.html")
    for name in ("fig1", "fig2", "fig3", "fig4", "figA1", "figB5"):
        assert f"figure_{name}" in plan
    assert "verdict_tables" in plan
    assert "validation_table" in plan
    assert "figure_figR" in plan
    assert "regime_sweep" in plan
    assert "report_page" in plan


def test_verdicts_are_printed_and_their_tables_written(study: Path) -> None:
    output = snakemake(study, "verdicts")
    assert "\nS2  reproduced, trend holds [published]\n" in output
    tables = study / "results" / "tables"
    for name in ("verdicts", "checks"):
        assert (tables / f"{name}.parquet").is_file()
        assert (tables / f"{name}.csv").is_file()
