"""burstlab: when do bursty arrivals make LLM inference faster, and why?

`snakemake --cores all` measures what config.yaml asks for and ends in results/report.html. Another study:
`--configfile config/quick.yaml`.
"""

from snakemake.utils import min_version

min_version("9.27")


# The base image on which `make study` builds everything else. Nothing runs in it unless Snakemake is told so.
container: "docker://python:3.11-bookworm"


report: "report/captions/workflow.rst"


include: "workflow/rules/study.smk"


# In cached mode there is no rule that could measure anything, so nothing does by accident: cells are leaves.
if STUDY.mode != "cached":

    include: "workflow/rules/environments.smk"
    include: "workflow/rules/models.smk"
    include: "workflow/rules/datasets.smk"
    include: "workflow/rules/sessions.smk"


include: "workflow/rules/figures.smk"
include: "workflow/rules/exact_batches.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/regimes.smk"
include: "workflow/rules/simulation.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/archive.smk"
include: "workflow/rules/ending.smk"


rule all:
    default_target: True
    input:
        f"{RESULTS}/report.html",
    message:
        f"the study {STUDY.name} is complete"
