# Archives are made only when asked for: `snakemake archive` packs the whole study, `snakemake
# results/archives/cpu/tiny-gqa.zip` the cells below cpu/tiny-gqa, and a cell's whole identity that cell.
import burstlab.archive.targets as archive_targets

WHOLE_STUDY = [
    f"{RESULTS}/report.html",
    f"{RESULTS}/tables/cells.parquet",
    *FIGURE_FILES,
]


rule archive:
    input:
        f"{RESULTS}/archives/study.zip",
    localrule: True


rule archive_of:
    input:
        lambda wildcards: archive_targets.needs(wildcards.selection, CELLS, WHOLE_STUDY),
    output:
        f"{RESULTS}/archives/{{selection}}.zip",
    log:
        "logs/archives/{selection}.log",
    localrule: True
    message:
        "packing {wildcards.selection}"
    script:
        "../scripts/archive.py"
