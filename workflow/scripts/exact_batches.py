from pathlib import Path

from burstlab.exact_batches.job import time_from_workflow

time_from_workflow(
    config=snakemake.config,
    names=snakemake.params.names,
    output=Path(snakemake.output[0]),
    log=Path(snakemake.log[0]),
    workflow_pid=snakemake.params.workflow_pid,
)
