# Virtual environments of the locks that engines of the study use. A record is named after its lock's content, so no
# time stamp can make one be built again. `update()` leaves it in place should the rule itself change.
from burstlab.environments.build import record_path as built_environment
from burstlab.environments.interpreter import BUILT as ENVIRONMENTS


def environment_record(name):
    """The record that says the environment is there; None for one that the user provides."""
    lock = STUDY.environments[name].lock
    return (
        None
        if lock is None
        else str(built_environment(Path(lock), ENVIRONMENTS / name))
    )


LOCKED = sorted(
    name
    for name in {engine.environment for engine in STUDY.engines.values()}
    if STUDY.environments[name].lock is not None
)


rule environments:
    input:
        [environment_record(name) for name in LOCKED],


for name in LOCKED:

    rule:
        name:
            f"environment_{name}"
        output:
            update(environment_record(name)),
        log:
            f"logs/environments/{name}.log",
        localrule: True
        threads: 1
        params:
            name=name,
            lock=STUDY.environments[name].lock,
        message:
            f"building the environment {name} from {STUDY.environments[name].lock} (a few minutes)"
        script:
            "../scripts/environment.py"
