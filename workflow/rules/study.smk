# The configuration, and what follows from it: cells, their specifications, what is already measured.
import os
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.records.status import status
from burstlab.session.lock import hold_workflow_lock
from burstlab.study.expand import cells, sessions
from burstlab.study.load import load_study
from burstlab.study.specification import specifications


RESULTS = "results"
CONFIG_FILES = [Path(name) for name in workflow.overwrite_configfiles or ["config.yaml"]]

try:
    STUDY = load_study(config, CONFIG_FILES, Path.cwd())
    CELLS = cells(STUDY)
    SPECIFICATIONS = specifications(CELLS, STUDY, Path.cwd())
    STATUS = status(
        CELLS, SPECIFICATIONS, Path(RESULTS), Path(".snakemake/burstlab/index.json")
    )
except BurstlabError as error:
    raise WorkflowError(str(error)) from None

SESSIONS = sessions(CELLS, STUDY)


def cell_record(cell):
    return f"{RESULTS}/cells/{cell.id}/cell.json"


onstart:
    hold_workflow_lock(Path(".snakemake/burstlab/workflow.lock"))
