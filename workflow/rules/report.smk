# The page; it reads the cells' records too, which the cells table stands for as an input.
from burstlab.collections.members import folders_of

TEMPLATES = Path(registry.__file__).parents[3] / "report"


rule report_page:
    input:
        cells=f"{RESULTS}/tables/cells.parquet",
        verdicts=f"{RESULTS}/tables/verdicts.parquet",
        checks=f"{RESULTS}/tables/checks.parquet",
        validation=f"{RESULTS}/tables/validation.parquet",
        figures=FIGURE_FILES,
        manifests=[f"{folder}/manifest.json" for folder in folders_of(STUDY)],
        templates=sorted(map(str, [*TEMPLATES.glob("*.j2"), *TEMPLATES.glob("*.css")])),
        library=[
            module
            for package in (
                "report",
                "validity",
                "validity/comparisons",
                "simulator/validation",
            )
            for module in figure_targets.modules_of(package)
        ],
    output:
        page=report(
            f"{RESULTS}/report.html",
            caption="../../report/captions/page.rst",
            category="Report",
        ),
    log:
        "logs/report.log",
    localrule: True
    params:
        study=STUDY.name,
        results=lambda wildcards, input: str(Path(input.cells).parents[1]),
        groups=GROUPS,
        profiled=[*PROFILED_GROUPS, *PAIRS],
        of_study=[kind.name for kind in registry.STUDY_FIGURES if drawn_of(kind)],
    message:
        "writing the report"
    script:
        "../scripts/report.py"
