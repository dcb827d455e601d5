# One job a kind of figure draws it for every group: starting the drawing library costs more than drawing.
from burstlab.figures import registry

GROUPS = sorted({cell.group for cell in CELLS})
LIBRARY = Path(registry.__file__).parents[1]


def figure_files(figure, suffix):
    return [
        f"{RESULTS}/figures/{figure}/{registry.group_slug(group)}{suffix}"
        for group in GROUPS
    ]


def prompts_of(workload):
    dataset = STUDY.datasets.get(workload.dataset)
    return workload.dataset if dataset is None else dataset.source


for kind in registry.FIGURES:

    rule:
        name:
            f"figure_{kind.name}"
        input:
            **{table: f"{RESULTS}/tables/{table}.parquet" for table in kind.tables},
            # Snakemake sees changes of a script, but not of what it imports.
            library=sorted(map(str, (LIBRARY / "figures").glob("*.py"))),
        output:
            svg=figure_files(kind.name, ".svg"),
            csv=figure_files(kind.name, ".csv"),
        log:
            f"logs/figures/{kind.name}.log",
        params:
            figure=kind.name,
            groups=GROUPS,
            datasets={
                name: prompts_of(workload)
                for name, workload in STUDY.workloads.items()
            },
        message:
            f"drawing {kind.label} of {len(GROUPS)} groups"
        script:
            "../scripts/figure.py"


FIGURE_FILES = [
    path
    for kind in registry.FIGURES
    for suffix in (".svg", ".csv")
    for path in figure_files(kind.name, suffix)
]
