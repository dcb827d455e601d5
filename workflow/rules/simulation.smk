# The simulator, fitted to some measured cells of the study, against others. The cells' records, which say what ran, are read too;
# the table of cells stands for them as an input.
from burstlab.collections.members import folders_of


rule validation_table:
    input:
        cells=f"{RESULTS}/tables/cells.parquet",
        requests=f"{RESULTS}/tables/requests.parquet",
        iterations=f"{RESULTS}/tables/iterations.parquet",
        manifests=[f"{folder}/manifest.json" for folder in folders_of(STUDY)],
        library=[
            module
            for package in (
                "simulator",
                "simulator/validation",
                "simulator/costs",
                "simulator/costs/fitted",
                "simulator/memory",
                "simulator/scheduling",
                "records",
            )
            for module in figure_targets.modules_of(package)
        ],
    output:
        table=f"{RESULTS}/tables/validation.parquet",
        text=f"{RESULTS}/tables/validation.csv",
    log:
        "logs/validation.log",
    localrule: True
    params:
        results=lambda wildcards, input: str(Path(input.cells).parents[1]),
    message:
        "holding the simulator against measured cells that it was not fitted to"
    script:
        "../scripts/validation.py"
