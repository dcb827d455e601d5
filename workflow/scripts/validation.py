from pathlib import Path

from burstlab.simulator.validation.job import validation_from_workflow

validation_from_workflow(
    results=Path(snakemake.params.results),
    collections=[Path(manifest).parent for manifest in snakemake.input.manifests],
    log=Path(snakemake.log[0]),
)
