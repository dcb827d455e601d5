from typing import Any

import pytest
from tests.doctor.conftest import A100, H200, FakeMachine, Make, smi

from burstlab.doctor.preflight import forecast, preflight, refuse_hopeless
from burstlab.errors import BurstlabError
from burstlab.study.locate import Source
from burstlab.study.place import KeyPlaces

NOWHERE = KeyPlaces({}, [])
PYTHON = {"vllm": {"python": "/no/python"}}
BOTH = {"gpu": {"kind": "cuda", "gpu_model": "h200"}, "cpu": {"kind": "cpu", "kvcache_gib": 1}}


def levels(findings: Any) -> list[tuple[str, str]]:
    return [(finding.check, finding.level) for finding in findings]


def test_where_all_is_there_nothing_is_said(subject: Make) -> None:
    assert preflight(subject(FakeMachine(smi(H200))), remote=False) == []


def test_all_faults_of_this_machine_are_found_at_once(subject: Make) -> None:
    platforms = BOTH | {"cpu": {"kind": "cpu", "kvcache_gib": 100, "cores": 9}}
    made = subject(
        FakeMachine(smi(A100)), platforms=platforms, environments=PYTHON, models={"llama": {"path": "/no"}}
    )
    assert levels(preflight(made, remote=False)) == [
        ("environment", "error"),
        ("model", "error"),
        ("gpus", "error"),
        ("memory", "error"),
        ("cores", "error"),
    ]


def test_sessions_elsewhere_do_not_need_this_machine(subject: Make) -> None:
    made = subject(FakeMachine(), environments=PYTHON)
    assert levels(preflight(made, remote=True)) == [("environment", "warning")]


def test_no_request_that_the_cluster_cannot_meet_is_submitted(subject: Make) -> None:
    platform = {"kind": "cuda", "gpu_model": "h200", "cores": 4, "slurm": {"partition": "gpu"}}
    made = subject(FakeMachine({"sinfo --noheader --format=%P|%a|%f|%G": "cpu*|up|(null)|(null)\n"}),
                   platforms={"gpu": platform})  # fmt: skip
    assert levels(preflight(made, remote=True)) == [("slurm", "error")]


def test_nothing_is_asked_where_nothing_runs(subject: Make) -> None:
    machine = FakeMachine()
    made = subject(machine)
    assert preflight(type(made)(made.study, [], machine), remote=False) == []
    assert machine.asked == []


def test_before_it_is_known_where_sessions_run_a_clusters_platform_is_taken_to_run_there(
    subject: Make,
) -> None:
    platform = {"kind": "cuda", "gpu_model": "h200", "cores": 4, "slurm": {}}
    machine = FakeMachine({"sinfo --noheader --format=%P|%a|%f|%G": "gpu*|up|(null)|gpu:h200:4\n"})
    assert forecast(subject(machine, platforms={"gpu": platform})) == []
    assert levels(forecast(subject(machine))) == [("gpus", "error")]


def test_the_message_has_a_line_a_fault_and_says_what_can_be_measured(subject: Make) -> None:
    warnings: list[str] = []
    made = subject(FakeMachine(), platforms=BOTH, environments=PYTHON)
    with pytest.raises(BurstlabError) as error:
        refuse_hopeless(made, NOWHERE, remote=False, warn=warnings.append)
    python, gpu, last = str(error.value).splitlines()
    assert "environments.vllm.python: /no/python is not a program; " in python
    assert "platforms.gpu.gpus: no GPU can be used" in gpu
    assert last.startswith("nothing was started; ") and "measure_cpu" in last
    assert warnings == []


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        (["config.yaml"], ["`burstlab doctor`", "`snakemake measure_cpu --cores all`"]),
        (
            ["my.yaml"],
            [
                "`burstlab doctor --config my.yaml`",
                "`snakemake measure_cpu --cores all --configfile my.yaml`",
            ],
        ),
        (["a.yaml", "b.yaml"], ["`burstlab doctor --config FILE`", "--configfile FILE`"]),
    ],
)
def test_the_commands_that_it_names_are_of_the_same_configuration(
    subject: Make, files: list[str], commands: list[str]
) -> None:
    places = KeyPlaces({}, [Source(name, {}, {}) for name in files])
    with pytest.raises(BurstlabError) as error:
        refuse_hopeless(subject(FakeMachine(), platforms=BOTH), places, remote=False, warn=print)
    last = str(error.value).splitlines()[-1]
    assert all(command in last for command in commands), last


def test_warnings_let_a_run_go_on(subject: Make) -> None:
    warnings: list[str] = []
    refuse_hopeless(subject(environments=PYTHON), NOWHERE, remote=True, warn=warnings.append)
    (warning,) = warnings
    assert warning.startswith("warning: ") and "/no/python" in warning
