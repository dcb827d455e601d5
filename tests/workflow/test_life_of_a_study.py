"""A study from nothing to its report, and what each later change costs: real vLLM on the CPU throughout.

The tests share one folder and build on each other, in the order in which they stand.
"""

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.workflow.workspace import Workspace

pytestmark = pytest.mark.engine

GAMMA = "results/cells/cpu/tiny-gqa/eager/short/rate-6/burst-0.5/seed-0"
TRACE = "results/cells/cpu/tiny-gqa/eager/short/rate-6/trace-bursty/seed-0"


def sessions_in(output: str) -> int:
    return output.count("measuring ")


def test_one_command_ends_in_a_report_of_measured_cells(workspace: Workspace, study: dict[str, Any]) -> None:
    done = workspace.snakemake(study)
    assert done.returncode == 0, done.stdout
    page = (workspace.folder / "results/report.html").read_text()
    figures = page.count("data:image/svg+xml")
    assert figures == 8, "a figure of each kind for the one group, the regime map, and the simulator's errors"
    cells = pd.read_parquet(workspace.folder / "results/tables/cells.parquet")
    assert list(cells["evidence"]) == ["measured", "measured"]
    assert set(cells["arrivals"]) == {"gamma", "trace:bursty"}
    assert list(cells["failed_requests"]) == [0, 0]
    assert (cells["output_tokens"] == 12 * 8).all()


def test_the_iteration_log_holds_every_token_that_was_generated(workspace: Workspace) -> None:
    # The token that ends a prompt is made by a context request, so each request has one less.
    iterations = pd.read_parquet(workspace.folder / "results/tables/iterations.parquet")
    generated = iterations.groupby("cell")["generation_tokens"].sum()
    assert list(generated) == [12 * 7, 12 * 7]
    prompts = iterations.groupby("cell")["context_tokens"].sum()
    requests = pd.read_parquet(workspace.folder / "results/tables/requests.parquet")
    assert list(prompts) == list(requests.groupby("cell")["prompt_tokens"].sum())


def test_no_request_leaves_before_its_planned_time(workspace: Workspace) -> None:
    requests = pd.read_parquet(workspace.folder / "results/tables/requests.parquet")
    assert ((requests["send_s"] - requests["planned_send_s"]) > -0.002).all()


def test_the_record_says_what_ran_and_names_no_folder_of_this_machine(workspace: Workspace) -> None:
    text = (workspace.folder / GAMMA / "cell.json").read_text()
    record = json.loads(text)
    assert record["engine_reported"]["version"] == record["versions"]["vllm"] == "0.32.0"
    assert record["engine_reported"]["enforce_eager"] == "True"
    assert record["commands"]["client"][:2] == ["--backend", "vllm"]
    assert str(workspace.folder) not in text
    assert str(workspace.root) not in text


def test_a_second_run_has_nothing_to_do(workspace: Workspace, study: dict[str, Any]) -> None:
    before = workspace.cells()
    done = workspace.snakemake(study)
    assert "Nothing to be done" in done.stdout, done.stdout
    assert workspace.cells() == before


def test_a_new_seed_measures_only_the_new_cells(workspace: Workspace, study: dict[str, Any]) -> None:
    before = workspace.cells()
    study["blocks"][0]["seeds"] = [0, 1]
    done = workspace.snakemake(study)
    assert done.returncode == 0, done.stdout
    after = workspace.cells()
    assert {path: after[path] for path in before} == before
    assert len(after) == 2 * len(before)


def test_an_edited_cell_is_kept_aside_and_measured_again_alone(
    workspace: Workspace, study: dict[str, Any]
) -> None:
    study["blocks"][0]["seeds"] = [0, 1]
    edited = workspace.folder / GAMMA / "bench.json"
    edited.write_text(edited.read_text().replace('"completed": 12', '"completed": 13'))
    before = workspace.cells()
    planned = workspace.snakemake(study, "--dry-run")
    assert sessions_in(planned.stdout) == 1
    assert "measuring 1 cell of" in planned.stdout
    assert workspace.cells() == before, "a dry run must not touch anything"
    done = workspace.snakemake(study)
    assert done.returncode == 0, done.stdout
    after = workspace.cells()
    others = {path for path in before if not path.startswith(GAMMA)}
    assert {path: after[path] for path in others} == {path: before[path] for path in others}
    assert json.loads(edited.read_text())["completed"] == 12
    retired = workspace.folder / GAMMA.replace("cells", "retired") / "1" / "bench.json"
    assert json.loads(retired.read_text())["completed"] == 13


def test_a_changed_engine_makes_its_cells_stale_even_when_snakemake_has_lost_its_memory(
    workspace: Workspace, study: dict[str, Any]
) -> None:
    shutil.rmtree(workspace.folder / ".snakemake")
    study["blocks"][0]["seeds"] = [0, 1]
    study["engines"]["eager"]["max_sequences"] = 8
    planned = workspace.snakemake(study, "--dry-run")
    assert "measuring 4 cells" in planned.stdout


def test_an_engine_that_cannot_start_is_explained_and_stops_no_other(
    workspace: Workspace, study: dict[str, Any]
) -> None:
    study["engines"]["other"] = copy.deepcopy(study["engines"]["eager"])
    study["engines"]["broken"] = study["engines"]["eager"] | {"attention_backend": "NO_SUCH_BACKEND"}
    study["blocks"][0] |= {"engines": ["broken", "other"], "traces": []}
    done = workspace.snakemake(study)
    assert done.returncode != 0
    assert "the engine did not start" in done.stdout
    assert "NO_SUCH_BACKEND" in done.stdout
    assert "Traceback" not in done.stdout
    measured = {Path(path).parts[4] for path in workspace.cells()}
    assert "other" in measured
    assert "broken" not in measured
