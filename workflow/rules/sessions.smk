# One job an engine, for its cells that are missing or stale. A valid cell has no rule: it is a leaf, and nothing reruns it.
import os

import burstlab.session.targets as session_targets
from burstlab.slurm.resources import resources as slurm_resources
from burstlab.wording import count

# The session itself moves a stale record to results/retired/ once it has measured the cell anew; nothing measured is deleted.
for session in PLAN:

    rule:
        name:
            f"session_{session_targets.job_name(session)}"
        input:
            needs=session_targets.needs(
                session, STUDY, environment_record, model_record, dataset_records
            ),
            stale=session_targets.forced_by(session, STATUS),
        output:
            update([session_targets.cell_record(cell) for cell in session.cells]),
        log:
            f"logs/sessions/{session.id}/session.log",
        threads: session_targets.cores(session, STUDY, workflow.resource_settings.cores)
        resources:
            **slurm_resources(session, STUDY),
        params:
            session=session.id,
            # Of the Snakemake that runs the job: on a cluster that is one on the job's node.
            workflow_pid=os.getpid(),
        message:
            f"measuring {count(len(session.cells), 'cell')} of {session.id}"
        script:
            "../scripts/session.py"


# The cells of one platform alone, on the machine that has it; tables and figures want those of all.
for name in STUDY.platforms:

    rule:
        name:
            f"measure_{name}"
        input:
            lambda wildcards, platform=name: [
                session_targets.cell_record(cell)
                for cell in CELLS
                if cell.platform == platform
            ],
