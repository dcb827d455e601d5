# The causal test: batches of an exact make-up, timed without arrivals, of each engine that has profiled runs; of simulated
# engines what their costs say.
import burstlab.exact_batches.targets as exact_targets
import burstlab.session.targets as session_targets

if STUDY.mode != "cached":

    SIMULATED_ENGINES = exact_targets.engines_simulated(STUDY, CELLS)

    # Like a cell, what was timed is a leaf: nothing times it again.
    for engine in exact_targets.untimed(STUDY, PROFILED_RUNS):

        rule:
            name:
                f"exact_batches_{session_targets.job_name(engine)}"
            input:
                session_targets.needs(
                    engine, STUDY, environment_record, model_record, dataset_records
                ),
            output:
                exact_targets.times_file(STUDY, engine),
            log:
                f"logs/profiles/exact-batches/{session_targets.job_name(engine)}.log",
            threads: session_targets.cores(engine, STUDY, workflow.resource_settings.cores)
            resources:
                **slurm_resources(engine, STUDY),
            params:
                names=(engine.platform, engine.model, engine.engine),
                workflow_pid=os.getpid(),
            message:
                f"timing exact batches of {engine.platform}/{engine.model}/{engine.engine}"
            script:
                "../scripts/exact_batches.py"

    if SIMULATED_ENGINES:

        rule simulated_exact_batches:
            output:
                [
                    exact_targets.times_file(STUDY, engine)
                    for engine in SIMULATED_ENGINES
                ],
            log:
                "logs/simulated_exact_batches.log",
            localrule: True
            params:
                engines=[
                    (engine.platform, engine.model, engine.engine)
                    for engine in SIMULATED_ENGINES
                ],
            message:
                "computing the exact batches of simulated engines"
            script:
                "../scripts/simulated_exact_batches.py"


if EXACT_FILES:

    rule exact_batches_table:
        input:
            times=EXACT_FILES,
            asked=exact_targets.asked_for(
                OWN_EXACT_BATCHES,
                COLLECTED_EXACT_BATCHES,
                session_targets.MEMORY / "exact-batches",
            ),
            library=figure_targets.modules_of("exact_batches"),
        output:
            table=f"{RESULTS}/tables/exact_batches.parquet",
            text=f"{RESULTS}/tables/exact_batches.csv",
        log:
            "logs/exact_batches.log",
        localrule: True
        message:
            "building the table of exact batches"
        script:
            "../scripts/exact_batches_table.py"
