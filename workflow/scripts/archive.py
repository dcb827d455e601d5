from pathlib import Path

from burstlab.archive.job import archive_from_workflow

archive_from_workflow(
    config=snakemake.config,
    selection=snakemake.wildcards.selection,
    output=Path(snakemake.output[0]),
    log=Path(snakemake.log[0]),
)
