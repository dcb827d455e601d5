from pathlib import Path

from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor import environment
from burstlab.doctor.machine import Machine, Output


def test_a_locked_environment_that_is_not_built_is_no_fault(subject: Make) -> None:
    (found,) = environment.check(subject())
    assert found.level == "ok" and "not built yet" in found.found
    assert environment.prefix(subject(), "vllm") is None


def test_a_python_must_be_a_program(subject: Make, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\n")
    made = subject(environments={"vllm": {"python": str(python)}})
    (found,) = environment.check(made)
    assert (found.level, found.path) == ("error", ("environments", "vllm", "python"))
    assert found.found == f"{python} is not a program"
    assert environment.prefix(made, "vllm") is None
    python.chmod(0o755)
    assert [one.level for one in environment.check(made)] == ["ok"]
    assert environment.prefix(made, "vllm") == [str(python)]


def test_an_image_that_is_not_there_is_an_error(subject: Make, tmp_path: Path) -> None:
    (found,) = environment.check(subject(environments={"vllm": {"apptainer": str(tmp_path / "no.sif")}}))
    assert (found.level, found.path) == ("error", ("environments", "vllm", "apptainer"))


def test_modules_are_loaded_by_a_login_shell(subject: Make) -> None:
    machine = FakeMachine({"bash -lc": ""})
    (found,) = environment.check(subject(machine, environments={"vllm": {"module": ["gcc/13", "vllm/0.33"]}}))
    assert found.level == "ok"
    assert machine.asked[0][-2:] == ["gcc/13", "vllm/0.33"]


def test_a_machine_without_modules_and_an_unknown_module_are_told_apart(subject: Make) -> None:
    unknown = Output(4, "", 'Lmod has detected the following error:\nmodule(s) are unknown: "vllm/0.99"')
    for answer, said in ((Output(3, ""), "knows no command `module`"), (unknown, 'unknown: "vllm/0.99"')):
        made = subject(FakeMachine({"bash": answer}), environments={"vllm": {"module": ["vllm/0.99"]}})
        (found,) = environment.check(made)
        assert (found.level, found.path) == ("error", ("environments", "vllm", "module"))
        assert said in found.found


def test_the_script_that_loads_modules_says_which_it_was(subject: Make, tmp_path: Path) -> None:
    # A real login shell, whose profile defines `module` or does not.
    modules = {"vllm": {"module": ["good"]}}
    profile = tmp_path / ".bash_profile"
    variables = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    for text, level, said in (
        ("unset -f module\n", "error", "knows no command"),
        ('module() { [ "$2" = good ]; }\n', "ok", "the modules load"),
        ('module() { echo "no module $2" >&2; return 1; }\n', "error", "no module good"),
    ):
        profile.write_text(text)
        made = subject(Machine(variables), environments=modules)
        (found,) = environment.check(made)
        assert (found.level, said in found.found) == (level, True), found
