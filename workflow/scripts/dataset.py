from pathlib import Path

from burstlab.datasets.job import prepare_from_workflow

prepare_from_workflow(
    name=snakemake.params.name,
    recipe=snakemake.params.recipe,
    record=Path(snakemake.output.record),
    log=Path(snakemake.log[0]),
)
