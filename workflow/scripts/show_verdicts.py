from pathlib import Path

from burstlab.claims.judge import shown_verdicts

text = shown_verdicts(Path(snakemake.input.table))
Path(snakemake.log[0]).write_text(text + "\n")
print(text)
