# Tables that this study has of those that not every study has; others that lie there are another study's.
MORE_EVIDENCE = [
    *(("interference", "paths") if PROFILED_GROUPS else ()),
    *(("exact_batches",) if EXACT_FILES else ()),
]


# The ledger: every published claim held against the tables.
rule verdict_tables:
    input:
        cells=f"{RESULTS}/tables/cells.parquet",
        iterations=f"{RESULTS}/tables/iterations.parquet",
        ledger=str(LEDGER),
        more=[f"{RESULTS}/tables/{table}.parquet" for table in MORE_EVIDENCE],
        library=[
            module
            for package in (
                "claims",
                "claims/estimators",
                "statistics",
                "queueing",
                "arrivals",
                "iterations",
                "validity",
                "validity/comparisons",
            )
            for module in figure_targets.modules_of(package)
        ],
    output:
        verdicts=f"{RESULTS}/tables/verdicts.parquet",
        verdicts_text=f"{RESULTS}/tables/verdicts.csv",
        checks=f"{RESULTS}/tables/checks.parquet",
        checks_text=f"{RESULTS}/tables/checks.csv",
    log:
        "logs/verdicts.log",
    localrule: True
    params:
        left_out=[
            table
            for table in ("interference", "paths", "exact_batches")
            if table not in MORE_EVIDENCE
        ],
    message:
        "holding the published claims against the tables"
    script:
        "../scripts/verdicts.py"


# `snakemake verdicts` prints the table.
rule verdicts:
    input:
        table=f"{RESULTS}/tables/verdicts.csv",
    log:
        "logs/verdicts-shown.log",
    localrule: True
    message:
        "the verdicts on the published claims"
    script:
        "../scripts/show_verdicts.py"
