from pathlib import Path

from burstlab.figures.write import write_figures

write_figures(
    snakemake.params.figure,
    Path(snakemake.input.cells).parent,
    snakemake.params.groups,
    Path(snakemake.output.svg[0]).parent,
    snakemake.params.datasets,
)
