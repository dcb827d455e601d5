from pathlib import Path

from burstlab.report.page import write_report

write_report(
    snakemake.params.study,
    Path(snakemake.params.results),
    snakemake.params.groups,
    Path(snakemake.input.templates[0]).parent,
    Path(snakemake.output.page),
)
