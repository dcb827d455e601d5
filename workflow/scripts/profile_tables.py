from pathlib import Path

from burstlab.profiles.run_tables import run_tables_from_workflow

run_tables_from_workflow(
    records=[Path(path) for path in [*snakemake.input.records, *snakemake.input.collected]],
    folder=Path(snakemake.output.interference).parent,
    log=Path(snakemake.log[0]),
)
