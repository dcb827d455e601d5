import pytest
from tests.doctor.conftest import Make

from burstlab.doctor import versions
from burstlab.doctor.inside_answer import Inside


@pytest.mark.parametrize(
    ("said", "inside", "level", "key"),
    [
        ({}, Inside("0.33.0", "", {}), "ok", "python"),
        ({"vllm_version": "0.33.0"}, Inside("0.33.0", "", {}), "ok", "python"),
        ({"vllm_version": "0.32.0"}, Inside("0.33.0", "", {}), "error", "vllm_version"),
        ({}, Inside(None, "ImportError: libcudart.so.13", {}), "error", "python"),
    ],
)
def test_the_version_must_be_the_one_that_cells_are_recorded_with(
    subject: Make, said: dict[str, str], inside: Inside, level: str, key: str
) -> None:
    made = subject(environments={"vllm": {"python": "/usr/bin/env", **said}})
    made.insides["vllm"] = inside
    (found,) = versions.check(made)
    assert (found.level, found.path) == (level, ("environments", "vllm", key))
    assert (inside.vllm or inside.error) in found.found


def test_of_what_could_not_be_asked_nothing_is_said(subject: Make) -> None:
    assert list(versions.check(subject())) == []
