import logging
from pathlib import Path

from burstlab.claims.judge import write_verdicts

logging.basicConfig(filename=snakemake.log[0], level=logging.INFO, format="%(asctime)s %(message)s")
written = write_verdicts(
    Path(snakemake.output.verdicts).parent,
    Path(snakemake.input.ledger),
    left_out=snakemake.params.left_out,
)
logging.info("%d verdicts", written)
