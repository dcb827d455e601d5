# One job a kind of figure draws it for many groups: starting the drawing library costs more than drawing.
from functools import partial

from burstlab.claims.load import LEDGER
from burstlab.figures import registry
import burstlab.figures.targets as figure_targets
from burstlab.wording import count

GROUPS = figure_targets.groups_of([*CELLS, *COLLECTED])
PROFILED_GROUPS = figure_targets.groups_of([*PROFILED_RUNS, *COLLECTED_RUNS])
PAIRS = figure_targets.pairs_of(STUDY, PROFILED_GROUPS)
EXACT_FILES = [*OWN_EXACT_BATCHES, *COLLECTED_EXACT_BATCHES]

# Of the tables that not every study has those that this one has, and those that would be another's if they lay there.
MORE_TABLES = [
    *(("interference", "paths") if PROFILED_GROUPS else ()),
    *(("exact_batches",) if EXACT_FILES else ()),
]
TABLES_LEFT_OUT = sorted({"interference", "paths", "exact_batches"} - {*MORE_TABLES})

drawn_of = partial(
    figure_targets.drawn_of,
    groups=GROUPS,
    profiled=PROFILED_GROUPS,
    pairs=PAIRS,
    batches_timed=bool(EXACT_FILES),
)
FIGURE_FILES = [
    path
    for kind in registry.FIGURES
    for suffix in (".svg", ".csv")
    for path in figure_targets.figure_files(RESULTS, kind.name, drawn_of(kind), suffix)
]

# What `snakemake --report` shows; the time it takes grows with the square of their number.
MAIN_FIGURE, MOST_IN_REPORT = "fig1", 100

FIGURE_JOBS = [
    (kind, part, groups)
    for kind in registry.FIGURES
    if drawn_of(kind) or kind in registry.CELL_FIGURES
    for part, groups in enumerate(figure_targets.batches(drawn_of(kind)), start=1)
]

for kind, part, groups in FIGURE_JOBS:

    rule:
        name:
            f"figure_{kind.name}" + (f"_{part}" if part > 1 else "")
        input:
            **{
                table: f"{RESULTS}/tables/{table}.parquet"
                for table in (
                    *kind.tables,
                    *(one for one in kind.more_tables if one in MORE_TABLES),
                )
            },
            library=figure_targets.modules_of("figures"),
            # Published numbers are drawn beside those of the study.
            ledger=[str(LEDGER)] if kind.of_study else [],
        output:
            svg=(
                report(
                    figure_targets.figure_files(RESULTS, kind.name, groups, ".svg"),
                    caption="../../report/captions/figure.rst",
                    category=kind.label,
                )
                if kind.name == MAIN_FIGURE and len(GROUPS) <= MOST_IN_REPORT
                else figure_targets.figure_files(RESULTS, kind.name, groups, ".svg")
            ),
            csv=figure_targets.figure_files(RESULTS, kind.name, groups, ".csv"),
        log:
            f"logs/figures/{kind.name}" + (f"-{part}" if part > 1 else "") + ".log",
        localrule: True
        params:
            figure=kind.name,
            groups=groups,
            left_out=TABLES_LEFT_OUT,
            datasets=figure_targets.sources_of_prompts(
                STUDY, [*CELLS, *PROFILED_RUNS], [*COLLECTED, *COLLECTED_RUNS], PAIRS
            ),
        message:
            f"drawing {kind.label} of {count(len(groups), 'group')}"
        script:
            "../scripts/figure.py"
