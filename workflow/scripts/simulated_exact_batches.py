from pathlib import Path

from burstlab.exact_batches.simulated import simulate_from_workflow

simulate_from_workflow(
    config=snakemake.config,
    engines=snakemake.params.engines,
    outputs=[Path(path) for path in snakemake.output],
    log=Path(snakemake.log[0]),
)
