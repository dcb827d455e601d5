# One job an engine, for its cells that are missing or stale. A valid cell has no rule: it is a leaf, and nothing reruns it.
import os

import burstlab.session.targets as session_targets

BY_NAME = {session_targets.job_name(session): session for session in SESSIONS}


# Moves records that no longer match what is asked for to results/retired/; nothing measured is deleted.
rule retire:
    output:
        temp(touch(".snakemake/burstlab/retired/{session}")),
    log:
        "logs/retire/{session}.log",
    localrule: True
    params:
        stale=lambda wildcards: [
            cell.id
            for cell in session_targets.stale(BY_NAME[wildcards.session], STATUS)
        ],
    script:
        "../scripts/retire.py"


for name, session in BY_NAME.items():
    if session_targets.unmeasured(session, STATUS):

        rule:
            name:
                f"session_{name}"
            input:
                needs=session_targets.needs(
                    session, STUDY, environment_record, model_record, dataset_records
                ),
                retired=(
                    [f".snakemake/burstlab/retired/{name}"]
                    if session_targets.stale(session, STATUS)
                    else []
                ),
            output:
                update(
                    [
                        session_targets.cell_record(cell)
                        for cell in session_targets.unmeasured(session, STATUS)
                    ]
                ),
            log:
                f"logs/sessions/{session.id}/session.log",
            threads: session_targets.cores(session, STUDY, workflow.cores)
            resources:
                gpu=STUDY.platforms[session.platform].gpus,
            params:
                session=session.id,
                workflow_pid=os.getpid(),
            message:
                f"measuring {len(session_targets.unmeasured(session, STATUS))} cells of {session.id}"
            script:
                "../scripts/session.py"
