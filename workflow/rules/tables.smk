# All cells in three tables, from which everything after is drawn. A damaged file among the cells stops it.
import burstlab.session.targets as session_targets
from burstlab.wording import count


rule tables:
    input:
        records=[cell_record(cell) for cell in CELLS],
        collected=[cell.record for cell in COLLECTED],
        asked=session_targets.asked_for(CELLS, collected=COLLECTED),
        library=[
            *figure_targets.modules_of("tables"),
            *figure_targets.modules_of("validity"),
        ],
    output:
        cells=f"{RESULTS}/tables/cells.parquet",
        requests=f"{RESULTS}/tables/requests.parquet",
        iterations=f"{RESULTS}/tables/iterations.parquet",
        text=report(
            f"{RESULTS}/tables/cells.csv",
            caption="../../report/captions/cells.rst",
            category="Tables",
        ),
    log:
        "logs/tables.log",
    localrule: True
    message:
        f"building the tables of {count(len(CELLS) + len(COLLECTED), 'cell')}"
    script:
        "../scripts/tables.py"


# Profiled runs have tables of their own: nothing of theirs is a figure of performance.
if PROFILED_RUNS or COLLECTED_RUNS:

    rule profile_tables:
        input:
            records=[
                campaign.record(cell)
                for campaign in CAMPAIGNS
                if campaign.of_profiles
                for cell in campaign.cells
            ],
            collected=[run.record for run in COLLECTED_RUNS],
            asked=session_targets.asked_for(
                PROFILED_RUNS, session_targets.MEMORY / "profile", COLLECTED_RUNS
            ),
            library=[
                *figure_targets.modules_of("profiles"),
                *figure_targets.modules_of("statistics"),
            ],
        output:
            interference=f"{RESULTS}/tables/interference.parquet",
            breakdown=f"{RESULTS}/tables/breakdown.parquet",
            paths=f"{RESULTS}/tables/paths.parquet",
            timeline=f"{RESULTS}/tables/timeline.parquet",
            text=[
                f"{RESULTS}/tables/{name}.csv"
                for name in ("interference", "breakdown", "paths", "timeline")
            ],
        log:
            "logs/profile_tables.log",
        localrule: True
        message:
            f"building the tables of {count(len(PROFILED_RUNS) + len(COLLECTED_RUNS), 'profiled run')}"
        script:
            "../scripts/profile_tables.py"
