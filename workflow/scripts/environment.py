import sys
from contextlib import redirect_stdout
from pathlib import Path

from burstlab.environments.build import build
from burstlab.errors import BurstlabError

with Path(snakemake.log[0]).open("w") as log, redirect_stdout(log):
    try:
        build(snakemake.params.name, Path(snakemake.params.lock), Path(snakemake.output[0]).parent)
    except BurstlabError as error:
        sys.exit(str(error))
