# The ledger: every published claim held against the tables.
rule verdict_tables:
    input:
        cells=f"{RESULTS}/tables/cells.parquet",
        iterations=f"{RESULTS}/tables/iterations.parquet",
        ledger=str(LEDGER),
        more=[f"{RESULTS}/tables/{table}.parquet" for table in MORE_TABLES],
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
        left_out=TABLES_LEFT_OUT,
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
