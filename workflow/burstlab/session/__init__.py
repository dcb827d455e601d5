"""One Snakemake job: an engine, and all cells that it has to measure."""
