from pathlib import Path

import pytest

from burstlab.environments.targets import environment_record, locked
from burstlab.study.schema import Engine, Environment, Study


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").touch()
    environments = {
        "built": Environment(lock="a.txt"),
        "unused": Environment(lock="a.txt"),
        "mine": Environment(python="/opt/python"),
    }
    engines = {"eager": Engine(environment="built"), "other": Engine(environment="mine")}
    return Study.model_construct(environments=environments, engines=engines)


def test_only_locks_that_an_engine_uses_are_built(study: Study) -> None:
    assert locked(study) == ["built"]


def test_a_target_changes_with_the_content_of_its_lock(study: Study) -> None:
    before = environment_record(study, "built")
    assert before is not None
    assert before.startswith(".envs/built/built-")
    Path("a.txt").write_text("numpy==1")
    assert environment_record(study, "built") not in (None, before)


def test_an_environment_of_the_users_own_has_no_target(study: Study) -> None:
    assert environment_record(study, "mine") is None
