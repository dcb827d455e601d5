from pathlib import Path

from burstlab.exact_batches.record import table_from_workflow

table_from_workflow(
    [Path(path) for path in snakemake.input.times],
    Path(snakemake.output.table).parent,
    Path(snakemake.log[0]),
)
