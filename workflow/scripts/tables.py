from pathlib import Path

from burstlab.tables.job import tables_from_workflow

tables_from_workflow(
    config=snakemake.config,
    records=[Path(path) for path in snakemake.input.records],
    collected=[Path(path) for path in snakemake.input.collected],
    folder=Path(snakemake.output.cells).parent,
    log=Path(snakemake.log[0]),
)
