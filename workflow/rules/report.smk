# The page; it reads the cells' records too, which the cells table stands for as an input.
TEMPLATES = LIBRARY.parents[1] / "report"


rule report_page:
    input:
        cells=f"{RESULTS}/tables/cells.parquet",
        figures=FIGURE_FILES,
        templates=sorted(map(str, [*TEMPLATES.glob("*.j2"), *TEMPLATES.glob("*.css")])),
        library=sorted(map(str, (LIBRARY / "report").glob("*.py"))),
    output:
        page=f"{RESULTS}/report.html",
    log:
        "logs/report.log",
    params:
        study=STUDY.name,
        results=lambda wildcards, input: str(Path(input.cells).parents[1]),
        groups=GROUPS,
    message:
        "writing the report"
    script:
        "../scripts/report.py"
