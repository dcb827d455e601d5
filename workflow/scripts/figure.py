import logging
from pathlib import Path

from burstlab.figures.write import write_figures

logging.basicConfig(filename=snakemake.log[0], level=logging.INFO, format="%(asctime)s %(message)s")
write_figures(
    snakemake.params.figure,
    Path(snakemake.input[0]).parent,
    snakemake.params.groups,
    Path(snakemake.output.svg[0]).parent,
    snakemake.params.datasets,
    snakemake.params.left_out,
)
logging.info("drew %s of %d groups", snakemake.params.figure, len(snakemake.params.groups))
