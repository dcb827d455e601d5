# Prompts and traces, downloaded or made; a synthetic one is called so in its record.
import re
from functools import partial

import burstlab.datasets.targets as dataset_targets

dataset_records = partial(dataset_targets.dataset_records, STUDY)


rule dataset:
    input:
        lambda wildcards: dataset_targets.local_copy(STUDY, wildcards.dataset),
    output:
        record=dataset_targets.dataset_record("{dataset}"),
    log:
        "logs/datasets/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(map(re.escape, STUDY.datasets)) or "no-datasets",
    # Before any session: a download that fails should not do so after hours of measuring.
    priority: 100
    params:
        recipe=lambda wildcards: STUDY.datasets[wildcards.dataset].model_dump(
            mode="json", exclude_unset=True
        ),
    message:
        "preparing dataset {wildcards.dataset}"
    script:
        "../scripts/dataset.py"
