# Virtual environments of the locks that engines of the study use. A record is named after its lock's content, so no
# time stamp can make one be built again. `update()` leaves it in place should the rule itself change.
from functools import partial

import burstlab.environments.targets as environment_targets

environment_record = partial(environment_targets.environment_record, STUDY)


rule environments:
    input:
        [environment_record(name) for name in environment_targets.locked(STUDY)],


for name in environment_targets.locked(STUDY):

    rule:
        name:
            f"environment_{name}"
        output:
            update(environment_record(name)),
        log:
            f"logs/environments/{name}.log",
        # Before any session that could start without it: what fails here should not do so after hours of measuring.
        priority: 100
        localrule: True
        threads: 1
        params:
            name=name,
            lock=STUDY.environments[name].lock,
        message:
            f"building the environment {name} from {STUDY.environments[name].lock} (minutes)"
        script:
            "../scripts/environment.py"
