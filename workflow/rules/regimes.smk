# The background of the regime map: simulated, from no cell.
rule regime_sweep:
    input:
        library=[
            module
            for package in (
                "simulator",
                "simulator/regimes",
                "simulator/costs",
                "simulator/costs/roofline",
                "simulator/memory",
                "simulator/scheduling",
                "arrivals",
                "statistics",
            )
            for module in figure_targets.modules_of(package)
        ],
    output:
        table=f"{RESULTS}/tables/regimes.parquet",
        text=f"{RESULTS}/tables/regimes.csv",
    log:
        "logs/regimes.log",
    localrule: True
    message:
        "simulating the background of the regime map"
    script:
        "../scripts/regimes.py"
