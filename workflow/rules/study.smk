# The configuration, and what follows from it: cells, their specifications, what is already measured.
import os
import shutil
from pathlib import Path

import burstlab
from burstlab.collections.members import (
    collected_cells,
    collected_exact_batches,
    collected_runs,
)
from burstlab.errors import BurstlabError
from burstlab.exact_batches.targets import to_show
from burstlab.session.campaign import campaigns
from burstlab.session.cached import require_all
from burstlab.session.forward import end_jobs_on_signals
from burstlab.session.lock import hold_workflow_lock
from burstlab.session.targets import RESULTS, about_to_run, cell_record
from burstlab.slurm.orphans import cancel_orphans
from burstlab.study.load import key_places, load_study, require_mapping
from burstlab.study.shipped import find_shipped_locks

# As a module of another workflow this one is handed its configuration, which no file of its own holds.
HANDED_OVER = workflow.modifier.skip_configfile
CONFIG_FILES = (
    []
    if HANDED_OVER
    else [Path(name) for name in workflow.overwrite_configfiles or ["config.yaml"]]
)

if workflow.modifier.modify_path(RESULTS) != RESULTS:
    raise WorkflowError(
        "burstlab: leave `prefix` and `replace_prefix` out of the module: cells are found by their paths. "
        "A study in a folder of its own is a workflow run with `--directory`; rules may be renamed: "
        "`use rule * from burstlab as burstlab_*`."
    )

try:
    for path in CONFIG_FILES:
        # Snakemake would say that a file is no YAML, but not in which line.
        require_mapping(path)
except BurstlabError as error:
    raise WorkflowError(str(error)) from None

if not workflow.overwrite_configfiles and not HANDED_OVER:

    configfile: "config.yaml"


find_shipped_locks(config, Path.cwd(), Path(burstlab.__file__).parents[2])

try:
    STUDY = load_study(config, CONFIG_FILES, Path.cwd())
    CAMPAIGNS = campaigns(STUDY, of_a_job=not workflow.is_main_process)
    CELLS = CAMPAIGNS[0].cells
    PROFILED_RUNS = [
        cell
        for campaign in CAMPAIGNS
        if campaign.of_profiles
        for cell in campaign.cells
    ]
    if STUDY.mode == "cached":
        for campaign in CAMPAIGNS:
            require_all(campaign.status, campaign.results)
    # Finished cells of collections: leaves, whatever the mode.
    COLLECTED = collected_cells(
        STUDY, CELLS, Path(".snakemake/burstlab/collections.json")
    )
    COLLECTED_RUNS = collected_runs(
        STUDY, PROFILED_RUNS, Path(".snakemake/burstlab/collections.json")
    )
    OWN_EXACT_BATCHES = to_show(STUDY, PROFILED_RUNS, CELLS)
    COLLECTED_EXACT_BATCHES = collected_exact_batches(STUDY, OWN_EXACT_BATCHES)
except BurstlabError as error:
    raise WorkflowError(str(error)) from None


def refuse_hopeless_sessions():
    """Raise BurstlabError if a session that is about to run cannot succeed, on this machine if it is to run here."""
    # Only now: dry runs and jobs do without.
    from burstlab.doctor.preflight import refuse_hopeless
    from burstlab.doctor.subject import Subject

    jobs = [] if workflow.touch else workflow.dag.needrun_jobs()
    outputs = {str(path) for job in jobs for path in job.output}
    for campaign in CAMPAIGNS:
        sessions = about_to_run(campaign.plan, outputs, campaign.results)
        refuse_hopeless(
            Subject(campaign.study, sessions),
            key_places(config, CONFIG_FILES, Path.cwd()),
            remote=not workflow.local_exec,
            warn=logger.warning,
        )


def end_orphaned_jobs():
    """Cancel jobs that a killed run left in a cluster's queue: they would measure the same cells, and nobody waits for them."""
    if shutil.which("squeue") is not None and not workflow.local_exec:
        cancelled = cancel_orphans(Path.cwd())
        if cancelled:
            logger.warning(
                f"cancelled jobs that a killed run had left: {', '.join(cancelled)}"
            )


onstart:
    try:
        hold_workflow_lock(Path(".snakemake/burstlab/workflow.lock"))
        end_jobs_on_signals()
        refuse_hopeless_sessions()
        for campaign in CAMPAIGNS:
            campaign.remember()
        end_orphaned_jobs()
    except BurstlabError as error:
        raise WorkflowError(str(error)) from None
