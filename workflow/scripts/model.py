from pathlib import Path

from burstlab.models.build import build

build(snakemake.params.recipe, Path(snakemake.output[0]).parent)
