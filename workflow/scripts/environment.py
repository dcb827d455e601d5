import sys
from pathlib import Path

from burstlab.environments.build import build_told
from burstlab.errors import BurstlabError

try:
    build_told(
        snakemake.params.name,
        Path(snakemake.params.lock),
        Path(snakemake.output[0]).parent,
        None,
        Path(snakemake.log[0]),
    )
except BurstlabError as error:
    sys.exit(str(error))
