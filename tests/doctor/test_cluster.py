from typing import Any

import pytest
from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor import cluster
from burstlab.doctor.machine import Output

SINFO = "sinfo --noheader --format=%P|%a|%f|%G"
LISTING = "short*|up|(null)|(null)\ngpu|up|sxm5,nvlink|gpu:h200:4\nold|down|pcie|gpu:a100:2\nplain|up|(null)|gpu:4\n"


def platform(slurm: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {"gpu": {"kind": "cuda", "gpus": 1, "gpu_model": "h200", "cores": 4, "slurm": slurm} | keys}


def test_what_the_cluster_has_is_fine(subject: Make) -> None:
    asked = platform({"partition": "gpu", "constraint": "sxm5&nvlink"}, gpus=4)
    (found,) = cluster.check(subject(FakeMachine({SINFO: LISTING}), platforms=asked))
    assert (found.level, found.path) == ("ok", ("platforms", "gpu", "slurm"))


@pytest.mark.parametrize(
    ("slurm", "keys", "key", "said", "cure"),
    [
        ({"partition": "gpus"}, {}, ("slurm", "partition"), "no partition gpus", "did you mean 'gpu'?"),
        ({"partition": "gpu", "constraint": "pcie"}, {}, ("slurm", "constraint"), "the feature pcie", "sxm5"),
        ({"partition": "gpu"}, {"gpus": 5}, ("gpus",), "GPUs: 4 h200", "one node"),
        ({"partition": "gpu"}, {"gpu_model": "a100"}, ("gpu_model",), "asked for: a100", "gpu_type"),
        ({"partition": "gpu", "gpu_type": "hopper"}, {}, ("slurm", "gpu_type"), "asked for: hopper", "any"),
        ({}, {}, ("gpu_model",), "GPUs: none", "another partition"),
        ({"partition": "plain"}, {}, ("gpu_model",), "4 without a type", "gpu_type (any: whichever)"),
    ],
)
def test_what_it_lacks_is_an_error_at_its_key(
    subject: Make, slurm: dict[str, Any], keys: dict[str, Any], key: tuple[str, ...], said: str, cure: str
) -> None:
    made = subject(FakeMachine({SINFO: LISTING}), platforms=platform(slurm, **keys))
    (found,) = cluster.check(made)
    assert (found.level, found.path) == ("error", ("platforms", "gpu", *key))
    assert said in found.found and cure in found.cure


def test_any_gpu_may_be_asked_for_where_the_cluster_names_none(subject: Make) -> None:
    asked = platform({"partition": "plain", "gpu_type": "any"})
    assert [
        found.level for found in cluster.check(subject(FakeMachine({SINFO: LISTING}), platforms=asked))
    ] == ["ok"]


def test_of_several_partitions_one_with_the_gpus_is_enough(subject: Make) -> None:
    asked = platform({"partition": "plain,gpu"})
    assert [
        found.level for found in cluster.check(subject(FakeMachine({SINFO: LISTING}), platforms=asked))
    ] == ["ok"]


def test_a_partition_that_is_down_is_a_warning(subject: Make) -> None:
    asked = platform({"partition": "old"}, gpu_model="a100")
    (found,) = cluster.check(subject(FakeMachine({SINFO: LISTING}), platforms=asked))
    assert (found.level, found.found) == ("warning", "partition old is not up")


def test_a_cluster_that_does_not_answer_is_an_error(subject: Make) -> None:
    for answers, said in (
        ({}, "sinfo: No such file"),
        ({"sinfo": Output(1, "", "Unable to contact")}, "contact"),
    ):
        (found,) = cluster.check(subject(FakeMachine(answers), platforms=platform({})))
        assert found.level == "error" and said in found.found


def test_a_study_of_no_cluster_asks_none(subject: Make) -> None:
    machine = FakeMachine({SINFO: LISTING})
    assert list(cluster.check(subject(machine))) == []
    assert machine.asked == []
