# The tiny models of the study that are built here. A record is named after its recipe, like an environment's.
from functools import partial

import burstlab.models.targets as model_targets

model_record = partial(model_targets.model_record, STUDY)


rule models:
    input:
        [
            model_targets.recipe_record(recipe)
            for recipe in model_targets.recipes_used(STUDY)
        ],


for recipe in model_targets.recipes_used(STUDY):

    rule:
        name:
            f"model_{recipe}"
        output:
            update(model_targets.recipe_record(recipe)),
        log:
            f"logs/models/{recipe}.log",
        # Before any session that could start without it: what fails here should not do so after hours of measuring.
        priority: 100
        localrule: True
        threads: 1
        params:
            recipe=recipe,
        message:
            f"building the model {recipe}"
        script:
            "../scripts/model.py"
