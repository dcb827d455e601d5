# One job an engine, for its cells that are missing or stale. A valid cell has no rule: it is a leaf, and nothing reruns it.
import os

import burstlab.session.targets as session_targets

# The session itself moves a stale record to results/retired/ once it has measured the cell anew; nothing measured is deleted.
for session in SESSIONS:
    if session_targets.unmeasured(session, STATUS):

        rule:
            name:
                f"session_{session_targets.job_name(session)}"
            input:
                needs=session_targets.needs(
                    session, STUDY, environment_record, model_record, dataset_records
                ),
                stale=session_targets.forced_by(session, STATUS),
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
