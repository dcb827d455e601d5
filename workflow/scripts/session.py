from pathlib import Path

from burstlab.session.job import session_from_workflow

session_from_workflow(
    config=snakemake.config,
    session_id=snakemake.params.session,
    wanted=[Path(path) for path in snakemake.output],
    log=Path(snakemake.log[0]),
    workflow_pid=snakemake.params.workflow_pid,
    of_profiles=snakemake.params.of_profiles,
    simulated=snakemake.params.simulated,
)
