import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

WORKFLOW = Path(__file__).resolve().parents[2] / "workflow"

SNAKEFILE = """
from burstlab.study.cells import Arrivals, Cell

RESULTS = "results"
CELLS = [Cell("cpu", "tiny", "eager", "random", 10.0, Arrivals.gamma(0.25), seed) for seed in (0, 1)]


def cell_record(cell):
    return f"{{RESULTS}}/cells/{{cell.id}}/cell.json"


include: "{rules}"
"""


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "Snakefile").write_text(SNAKEFILE.format(rules=WORKFLOW / "rules/tables.smk"))
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", "tables"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(WORKFLOW)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_tables_have_the_cells_asked_for_and_no_others(sample_cells: Any, tmp_path: Path) -> None:
    for seed in (0, 1, 2):
        sample_cells.build(sample_cells.cell(seed))
    finished = run(tmp_path)
    assert finished.returncode == 0, finished.stderr
    rows = pq.read_table(tmp_path / "results/tables/cells.parquet").to_pylist()
    assert [row["seed"] for row in rows] == [0, 1]


def test_a_damaged_cell_ends_in_a_message_without_a_traceback(sample_cells: Any, tmp_path: Path) -> None:
    for seed in (0, 1):
        folder = sample_cells.build(sample_cells.cell(seed))
    (folder / "requests.parquet").write_bytes(b"cut")
    finished = run(tmp_path)
    assert finished.returncode == 1
    assert "seed-1/requests.parquet: is damaged" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert not (tmp_path / "results/tables/requests.parquet").exists()
