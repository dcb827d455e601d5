# One job an engine, for its cells that are missing or stale. A valid cell has no rule: it is a leaf, and nothing reruns it.


def unmeasured(session):
    return [cell for cell in session.cells if STATUS[cell].state != "valid"]


def stale(session):
    return [cell for cell in session.cells if STATUS[cell].state == "stale"]


def session_name(session):
    return session.id.replace("/", "--")


def session_needs(session):
    needs = [environment_record(STUDY.engines[session.engine].environment)]
    needs += model_record(session.model)
    needs += [record for cell in session.cells for record in dataset_records(cell)]
    return sorted({record for record in needs if record is not None})


BY_NAME = {session_name(session): session for session in SESSIONS}


rule retire:
    # Moves records that no longer match what is asked for to results/retired/; nothing measured is deleted.
    output:
        temp(touch(".snakemake/burstlab/retired/{session}")),
    log:
        "logs/retire/{session}.log",
    params:
        stale=lambda wildcards: [cell.id for cell in stale(BY_NAME[wildcards.session])],
    localrule: True
    script:
        "../scripts/retire.py"


for session in SESSIONS:
    if unmeasured(session):

        rule:
            name:
                f"session_{session_name(session)}"
            input:
                needs=session_needs(session),
                retired=(
                    [f".snakemake/burstlab/retired/{session_name(session)}"]
                    if stale(session)
                    else []
                ),
            output:
                update([cell_record(cell) for cell in unmeasured(session)]),
            log:
                f"logs/sessions/{session.id}/session.log",
            params:
                session=session.id,
                workflow_pid=os.getpid(),
            threads: workflow.cores
            resources:
                gpu=STUDY.platforms[session.platform].gpus,
            message:
                f"measuring {len(unmeasured(session))} cells of {session.id}"
            script:
                "../scripts/session.py"
