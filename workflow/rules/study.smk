# The configuration, and what follows from it: cells, their specifications, what is already measured.
import os
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.records.status import status
from burstlab.session.forward import end_jobs_on_signals
from burstlab.session.lock import hold_workflow_lock
from burstlab.session.targets import RESULTS, cell_record
from burstlab.study.expand import cells, sessions
from burstlab.study.load import load_study
from burstlab.study.locate import read_source
from burstlab.study.specification import specifications

CONFIG_FILES = [
    Path(name) for name in workflow.overwrite_configfiles or ["config.yaml"]
]

try:
    for path in CONFIG_FILES:
        # Snakemake would say that a file is no YAML, but not in which line.
        read_source(path, str(path))
except BurstlabError as error:
    raise WorkflowError(str(error)) from None

if not workflow.overwrite_configfiles:

    configfile: "config.yaml"


try:
    STUDY = load_study(config, CONFIG_FILES, Path.cwd())
    CELLS = cells(STUDY)
    SPECIFICATIONS = specifications(CELLS, STUDY)
    STATUS = status(
        CELLS, SPECIFICATIONS, Path(RESULTS), Path(".snakemake/burstlab/index.json")
    )
except BurstlabError as error:
    raise WorkflowError(str(error)) from None

SESSIONS = sessions(CELLS, STUDY)


onstart:
    hold_workflow_lock(Path(".snakemake/burstlab/workflow.lock"))
    end_jobs_on_signals()
