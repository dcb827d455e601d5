"""A study of simulated cells from nothing to its report: it takes no engine, so that this runs everywhere."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.simulated_study import in_folder, simulated_config
from tests.workflow.workspace import Workspace

CELL = "results/cells/gh200-simulated/qwen3.5-9b/old/random-64-16/rate-10/burst-1/seed-0"


def small() -> dict[str, Any]:
    """Six cells of one group."""
    config = simulated_config()
    config["blocks"][0] |= {"engines": ["old"], "workloads": ["random-64-16"]}
    return config


@pytest.fixture(scope="module")
def bare(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A folder without environments, models and data sets."""
    folder = tmp_path_factory.mktemp("simulated")
    in_folder(folder)  # puts the locks there
    return Workspace(folder, root)


def test_one_command_ends_in_a_report_that_says_simulated(bare: Workspace) -> None:
    done = bare.snakemake(small())
    assert done.returncode == 0, done.stdout
    assert "simulating 6 cells of gh200-simulated/qwen3.5-9b/old/0" in done.stdout
    cells = pd.read_parquet(bare.folder / "results/tables/cells.parquet")
    assert set(cells["evidence"]) == {"simulated"}
    assert len(cells) == 6
    assert not (bare.folder / "resources").exists()
    assert not (bare.folder / ".envs").exists()
    page = (bare.folder / "results/report.html").read_text()
    assert "Simulated with these costs, on no hardware" in page
    assert "Simulated: " in page
    figure = next((bare.folder / "results/figures/fig1").glob("*.svg")).read_text()
    assert "10 req/s, simulated" in figure
    assert "stroke-dasharray" in figure


def test_verdicts_say_that_they_are_simulated(bare: Workspace) -> None:
    verdicts = pd.read_parquet(bare.folder / "results/tables/verdicts.parquet")
    of_cells = verdicts[verdicts["platform"] == "gh200-simulated"]
    assert set(of_cells["evidence"]) == {"simulated"}
    assert of_cells["summary"].str.startswith("Simulated: ").all()
    # On random prompts a simulated GH200 is as published; stand-ins for data sets never are.
    assert set(of_cells.loc[of_cells["id"] == "B1", "verdict"]) - {"different conditions"}


def test_a_second_run_has_nothing_to_do(bare: Workspace) -> None:
    before = bare.cells()
    done = bare.snakemake(small())
    assert "Nothing to be done" in done.stdout, done.stdout
    assert bare.cells() == before


def test_an_edited_cell_is_kept_aside_and_simulated_again_alone(bare: Workspace) -> None:
    before = bare.cells()
    record = bare.folder / CELL / "cell.json"
    record.write_text(record.read_text().replace('"simulated"', '"measured"'))
    done = bare.snakemake(small(), "results/tables/cells.parquet")
    assert done.returncode == 0, done.stdout
    after = bare.cells()
    assert {path: digest for path, (_, digest) in after.items()} == {
        path: digest for path, (_, digest) in before.items()
    }
    untouched = {path for path in before if not path.startswith(CELL)}
    assert {path: after[path] for path in untouched} == {path: before[path] for path in untouched}
    retired = bare.folder / CELL.replace("cells", "retired") / "1" / "cell.json"
    assert json.loads(retired.read_text())["evidence"] == "measured"


def test_it_is_simulated_beside_engines_that_are_to_run(bare: Workspace) -> None:
    config = small()
    config["platforms"]["gh200"] = {"kind": "cuda"}
    config["blocks"][0]["seeds"] = [3]
    config["blocks"].append({**config["blocks"][0], "platforms": ["gh200"]})
    done = bare.snakemake(config, "measure_gh200-simulated")
    assert done.returncode == 0, done.stdout
    assert "simulated 2 cells" in done.stdout
