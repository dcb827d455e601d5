from pathlib import Path

from burstlab.session.retirement import retire_from_workflow

retire_from_workflow(
    config=snakemake.config,
    stale=snakemake.params.stale,
    log=Path(snakemake.log[0]),
)
