# Prompts and traces, downloaded or made; a synthetic one is called so in its record, whose folder is named after its recipe.
from functools import partial

import burstlab.datasets.targets as dataset_targets
import burstlab.session.targets as session_targets

dataset_records = partial(dataset_targets.dataset_records, STUDY)


rule datasets:
    input:
        [
            dataset_targets.dataset_record(STUDY, dataset)
            for dataset in dataset_targets.datasets_used(STUDY)
        ],


for dataset in dataset_targets.datasets_used(STUDY):

    rule:
        name:
            f"dataset_{dataset}"
        input:
            local=dataset_targets.local_copy(STUDY, dataset),
            damage=dataset_targets.last_damage(STUDY, dataset, session_targets.MEMORY),
        output:
            record=dataset_targets.dataset_record(STUDY, dataset),
        log:
            f"logs/datasets/{dataset}.log",
        # Before any session: a download that fails should not do so after hours of measuring.
        priority: 100
        localrule: True
        params:
            name=dataset,
            recipe=STUDY.datasets[dataset].model_dump(mode="json", exclude_unset=True),
        message:
            f"preparing dataset {dataset}"
        script:
            "../scripts/dataset.py"
