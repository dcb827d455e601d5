from pathlib import Path

from burstlab.simulator.regimes.job import regimes_from_workflow

regimes_from_workflow(folder=Path(snakemake.output.table).parent, log=Path(snakemake.log[0]))
