import logging
from pathlib import Path

from burstlab.figures.registry import BY_NAME
from burstlab.report.page import write_report

logging.basicConfig(filename=snakemake.log[0], level=logging.INFO, format="%(asctime)s %(message)s")
write_report(
    snakemake.params.study,
    Path(snakemake.params.results),
    snakemake.params.groups,
    Path(snakemake.input.templates[0]).parent,
    Path(snakemake.output.page),
    [Path(manifest).parent for manifest in snakemake.input.manifests],
    snakemake.params.profiled,
    [BY_NAME[name] for name in snakemake.params.of_study],
)
logging.info("wrote %s", snakemake.output.page)
