"""Which models of a study the workflow builds, and the record of each, which is its target."""

from burstlab.models.build import record_path
from burstlab.models.resolve import BUILT
from burstlab.study.schema import Study


def recipes_used(study: Study) -> list[str]:
    """The recipes that models of the study are built from, sorted."""
    return sorted({model.build for model in study.models.values() if model.build is not None})


def recipe_record(name: str) -> str:
    """The file that says the recipe `name` is built. Raises BurstlabError when there is no such recipe."""
    return str(record_path(name, BUILT / name))


def model_record(study: Study, name: str) -> list[str]:
    """The records that a session of the model `name` needs: one if it is built here, none otherwise."""
    build = study.models[name].build
    return [] if build is None else [recipe_record(build)]
