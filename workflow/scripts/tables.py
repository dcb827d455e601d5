import sys
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.tables.study_tables import build_tables

with Path(snakemake.log[0]).open("w") as log:
    try:
        build_tables([Path(path) for path in snakemake.input], Path(snakemake.output.cells).parent)
        print(f"tables of {len(snakemake.input)} cells", file=log)
    except BurstlabError as error:
        print(error, file=log)
        sys.exit(str(error))
