"""An engine that does not use what was asked for: real vLLM, from the configuration to the page.

vLLM on a CPU has one attention backend. Asked for another it says so in one line of its log, and serves all the same.
"""

import json
from typing import Any

import pandas as pd
import pytest
from tests.workflow.workspace import Workspace

pytestmark = pytest.mark.engine

CELL = "cpu/tiny-gqa/eager/short/rate-6/burst-0.5/seed-0"
# What the engine's log is held against: these pass, so that the backend alone excludes the cell for what the engine did.
PASSES = {"graph-mode", "chunked-prefill", "batch-limits", "number-format", "scheduler", "log-complete"}


def test_its_cell_is_measured_excluded_by_its_gate_and_shown(
    workspace: Workspace, study: dict[str, Any]
) -> None:
    study["engines"]["eager"]["attention_backend"] = "FLASH_ATTN"
    study["blocks"][0]["traces"] = []
    done = workspace.snakemake(study)
    assert done.returncode == 0, done.stdout

    record = json.loads((workspace.folder / "results/cells" / CELL / "cell.json").read_text())
    command = record["commands"]["server"]
    assert command[command.index("--attention-config") + 1] == '{"backend":"FLASH_ATTN"}'
    gates = {gate["name"]: gate for gate in record["gates"]}
    assert gates["attention-backend"]["passed"] is False
    assert gates["attention-backend"]["message"] == (
        "asked for FLASH_ATTN, the engine says that it cannot use FLASH_ATTN"
    )
    assert {name for name in PASSES if gates[name]["passed"]} == PASSES

    (row,) = pd.read_parquet(workspace.folder / "results/tables/cells.parquet").to_dict("records")
    assert not row["counted"]
    assert "attention-backend" in row["failed_gates"].split(",")
    page = (workspace.folder / "results/report.html").read_text()
    excluded = page[page.index('id="excluded"') :]
    assert "attention-backend" in excluded[: excluded.index('id="provenance"')]
    checks = pd.read_csv(workspace.folder / "results/tables/checks.csv")
    assert set(checks["evidence"]) <= {"published", "simulated"}, "no verdict rests on the cell"
