# The tiny models of the study that are built here. A record is named after its recipe, like an environment's.
from burstlab.models.build import record_path as built_model
from burstlab.models.resolve import BUILT as MODELS


def model_record(name):
    """The records that a session of this model needs: one for a model that is built here, none otherwise."""
    build = STUDY.models[name].build
    return [] if build is None else [str(built_model(build, MODELS / build))]


TINY_MODELS = sorted(
    {model.build for model in STUDY.models.values() if model.build is not None}
)


rule models:
    input:
        [str(built_model(build, MODELS / build)) for build in TINY_MODELS],


for build in TINY_MODELS:

    rule:
        name:
            f"model_{build}"
        output:
            update(str(built_model(build, MODELS / build))),
        log:
            f"logs/models/{build}.log",
        localrule: True
        threads: 1
        params:
            build=build,
        message:
            f"building the model {build}"
        script:
            "../scripts/model.py"
