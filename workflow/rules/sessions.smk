# One job an engine, for its cells that are missing or stale. A valid cell has no rule: it is a leaf, and nothing reruns it.
import os

import burstlab.exact_batches.targets as exact_targets
import burstlab.session.targets as session_targets
from burstlab.records.backups import NoBackupNeeded
from burstlab.slurm.resources import resources as slurm_resources

logger.addFilter(NoBackupNeeded())

# The session itself moves a stale record to results/retired/ once it has measured the cell anew; nothing measured is deleted.
for campaign in CAMPAIGNS:
    for session in campaign.plan:

        rule:
            name:
                campaign.job(session)
            input:
                needs=session_targets.needs(
                    session,
                    campaign.study,
                    environment_record,
                    model_record,
                    dataset_records,
                ),
                stale=campaign.forced(session),
            output:
                update([campaign.record(cell) for cell in session.cells]),
            log:
                f"{campaign.logs}/{session.id}/session.log",
            # What is simulated takes seconds of a core: first, so that it runs beside no measurement, and on no cluster.
            priority: 50 if campaign.simulates(session) else 0
            localrule: campaign.simulates(session)
            threads: session_targets.cores(session, campaign.study, workflow.resource_settings.cores)
            resources:
                **slurm_resources(session, campaign.study),
            params:
                session=session.id,
                of_profiles=campaign.of_profiles,
                simulated=campaign.simulates(session),
                # Of the Snakemake that runs the job: on a cluster that is one on the job's node.
                workflow_pid=os.getpid(),
            message:
                campaign.message(session)
            script:
                "../scripts/session.py"


# The cells of one platform alone, on the machine that has it; tables and figures want those of all.
for name in STUDY.platforms:

    rule:
        name:
            f"measure_{name}"
        input:
            lambda wildcards, platform=name: [
                campaign.record(cell)
                for campaign in CAMPAIGNS
                for cell in campaign.cells
                if cell.platform == platform
            ],
            lambda wildcards, platform=name: exact_targets.files_of(
                STUDY, PROFILED_RUNS, platform
            ),
