from pathlib import Path

from burstlab.models.build import record_path
from burstlab.models.targets import model_record, recipes_used
from burstlab.study.schema import Model, Study

STUDY = Study.model_construct(
    models={
        "gqa": Model(build="tiny-gqa"),
        "gqa-bf16": Model(build="tiny-gqa", dtype="bfloat16"),
        "real": Model(hub="meta-llama/Llama-3.1-8B"),
        "mine": Model(path="/models/x"),
    }
)


def test_a_recipe_of_two_models_is_built_once() -> None:
    assert recipes_used(STUDY) == ["tiny-gqa"]
    assert model_record(STUDY, "gqa") == model_record(STUDY, "gqa-bf16")


def test_a_built_model_has_its_record_as_target_and_others_have_none() -> None:
    assert model_record(STUDY, "gqa") == [str(record_path("tiny-gqa", Path("resources/models/tiny-gqa")))]
    assert model_record(STUDY, "real") == model_record(STUDY, "mine") == []
