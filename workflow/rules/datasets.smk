# Prompts and traces, downloaded or made; a synthetic one is called so in its record.
import os
import re


def dataset_record(name):
    return f"resources/datasets/{name}/dataset.json"


def dataset_records(cell):
    names = {STUDY.workloads[cell.workload].dataset, cell.arrivals.trace}
    return sorted(dataset_record(name) for name in names if name in STUDY.datasets)


def local_copy(wildcards):
    # A missing one is reported by the job, which says what belongs there.
    path = STUDY.datasets[wildcards.dataset].path
    return [path] if path is not None and os.path.isfile(path) else []


rule dataset:
    input:
        local_copy,
    output:
        record="resources/datasets/{dataset}/dataset.json",
    log:
        "logs/datasets/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(map(re.escape, STUDY.datasets)) or "no-datasets",
    params:
        recipe=lambda wildcards: STUDY.datasets[wildcards.dataset].model_dump(
            mode="json", exclude_unset=True
        ),
    message:
        "preparing dataset {wildcards.dataset}"
    script:
        "../scripts/dataset.py"
