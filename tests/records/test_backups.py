"""What Snakemake's copies of records do when a session fails: with the real Snakemake, and a job in place of the session."""

import subprocess
import sys
from pathlib import Path

from burstlab.records.backups import forget_backup

RENEWED = "results/cells/renewed/cell.json"
NEW = "results/cells/new/cell.json"
FAILED = "results/cells/failed/cell.json"
WORKFLOW = f"""
from burstlab.records.backups import NoBackupNeeded

logger.addFilter(NoBackupNeeded())

rule session:
    input: "stale.txt"
    output: update(["{RENEWED}", "{NEW}", "{FAILED}"])
    script: "session.py"
"""
SESSION = f"""
from pathlib import Path
from burstlab.records.backups import forget_backup

for path in (Path("{RENEWED}"), Path("{NEW}")):
    path.parent.mkdir(parents=True, exist_ok=True)
    forget_backup(path)
    path.write_text("new")
raise SystemExit("one cell failed")
"""


def failing_session(folder: Path) -> str:
    for path in (RENEWED, FAILED):
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_text("old")
    (folder / "stale.txt").write_text("what is wrong")
    (folder / "Snakefile").write_text(WORKFLOW)
    (folder / "session.py").write_text(SESSION)
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--keep-incomplete", "--force", RENEWED]
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode != 0
    return done.stdout


def test_a_failed_session_keeps_the_records_that_it_renewed_and_the_old_ones_that_it_did_not(
    tmp_path: Path,
) -> None:
    told = failing_session(tmp_path)
    assert (tmp_path / RENEWED).read_text() == "new"
    assert (tmp_path / NEW).read_text() == "new"
    assert (tmp_path / FAILED).read_text() == "old"
    assert "Cannot restore" not in told, "nothing is lost, so nobody is to think so"


def test_a_copy_that_is_not_there_need_not_be_forgotten() -> None:
    forget_backup(Path("results/cells/never/cell.json"))
