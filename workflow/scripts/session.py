from pathlib import Path

from burstlab.session.run import run_from_workflow

run_from_workflow(
    config=snakemake.config,
    session_id=snakemake.params.session,
    wanted=[Path(path) for path in snakemake.output],
    log=Path(snakemake.log[0]),
    of_profiles=snakemake.params.of_profiles,
    workflow_pid=snakemake.params.workflow_pid,
)
