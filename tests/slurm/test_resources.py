"""What a job asks for, by platform and attempt."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from burstlab.errors import BurstlabError
from burstlab.slurm.resources import gpu_type, memory_mib, runtime_minutes
from burstlab.study.expand import cells
from burstlab.study.load import read_study
from burstlab.study.schema import Platform, Slurm
from burstlab.study.specification import specification

ROOT = Path(__file__).parents[2]


def gpu(**keys: Any) -> Platform:
    return Platform.model_validate({"kind": "cuda", **keys})


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"gpu_model": "h200", "slurm": {}}, "h200"),
        ({"gpu_model": "a100-40gb", "slurm": {"gpu_type": "a100"}}, "a100"),
        ({"gpu_model": "h200", "slurm": {"gpu_type": "any"}}, None),
        ({"slurm": {}}, None),
    ],
)
def test_the_gpus_type_is_as_the_cluster_calls_it(keys: dict[str, Any], expected: str | None) -> None:
    assert gpu_type(gpu(**keys)) == expected


def test_a_retry_asks_for_more_up_to_what_is_allowed() -> None:
    slurm = Slurm(runtime_minutes=60, max_runtime_minutes=150, memory_gib=10, max_memory_gib=18)
    assert [runtime_minutes(slurm, attempt) for attempt in (1, 2, 3)] == [60, 120, 150]
    assert [memory_mib(slurm, attempt) // 1024 for attempt in (1, 2, 3)] == [10, 15, 18]


def test_a_retry_asks_for_no_more_unless_told_how_much() -> None:
    slurm = Slurm(runtime_minutes=60, memory_gib=10)
    assert {runtime_minutes(slurm, attempt) for attempt in (1, 2, 3)} == {60}
    assert {memory_mib(slurm, attempt) for attempt in (1, 2, 3)} == {10 * 1024}


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"kind": "cpu", "slurm": {}}, "give the platform its cores"),
        ({"kind": "cpu", "cores": 2, "slurm": {"gpu_type": "h200"}}, "gpu_type only goes with kind: cuda"),
        ({"kind": "cuda", "gpu_model": "a100-40gb", "slurm": {}}, "give gpu_type"),
        (
            {"kind": "cuda", "slurm": {"runtime_minutes": 60, "max_runtime_minutes": 30}},
            "at least runtime_minutes: 60",
        ),
        ({"kind": "cuda", "slurm": {"partitoin": "gpu"}}, "partitoin"),
    ],
)
def test_what_no_cluster_could_run_is_refused(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Platform.model_validate(keys)


def test_the_profile_for_a_cluster_has_all_that_the_default_one_has() -> None:
    # Snakemake loads one workflow profile, so what keeps measurements must stand in both.
    default = yaml.safe_load((ROOT / "profiles/default/profile.yaml").read_text())
    cluster = yaml.safe_load((ROOT / "profiles/slurm/profile.yaml").read_text())
    del default["cores"]  # a cluster's jobs take what they ask for
    default["quiet"].remove("progress")  # there sessions tell their progress in their logs alone
    assert {key: cluster.get(key) for key in default} == default


def test_a_misspelt_key_is_answered_with_its_line_and_the_right_word(tmp_path: Path) -> None:
    text = (ROOT / "config.yaml").read_text()
    broken = text.replace("    kind: cpu ", "    cores: 2\n    slurm: {partitoin: gpu}\n    kind: cpu ", 1)
    line = broken[: broken.index("partitoin")].count("\n") + 1
    (tmp_path / "config.yaml").write_text(broken)
    with pytest.raises(BurstlabError) as caught:
        read_study(tmp_path / "config.yaml", ROOT)
    assert f":{line}: platforms.cpu.slurm.partitoin = 'gpu': unknown key; did you mean 'partition'?" in str(
        caught.value
    )


def test_none_of_it_is_a_part_of_what_was_measured() -> None:
    study = read_study(ROOT / "config.yaml", ROOT)
    cpu = study.platforms["cpu"]
    moved = cpu.model_copy(update={"slurm": Slurm(partition="other", runtime_minutes=60)})
    elsewhere = study.model_copy(update={"platforms": {**study.platforms, "cpu": moved}}).at(ROOT)
    (cell, *_) = cells(study)
    assert specification(cell, elsewhere) == specification(cell, study)
