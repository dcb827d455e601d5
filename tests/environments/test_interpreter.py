import subprocess
import sys
from pathlib import Path

import pytest

from burstlab.environments.interpreter import command_prefix
from burstlab.errors import BurstlabError
from burstlab.study.schema import Environment


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_an_environment_built_here_is_started_by_its_own_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program(tmp_path / ".envs" / "cpu" / "bin" / "python")
    assert command_prefix(Environment(lock="envs/vllm-cpu.txt"), "cpu") == [".envs/cpu/bin/python"]


def test_a_python_of_the_users_own_is_started_by_its_path() -> None:
    assert command_prefix(Environment(python=sys.executable), "mine") == [sys.executable]


def test_modules_are_loaded_first_and_arguments_arrive_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`module` is a shell function that login defines, here in a home of its own."""
    (tmp_path / ".bash_profile").write_text(f'module() {{ echo "$@" >{tmp_path}/loaded; }}\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    prefix = command_prefix(Environment(module=("vllm/0.33", "a b"), python=sys.executable), "site")
    arguments = ["-c", "import sys; print(sys.argv[1:])", "two words", "$HOME", "'", "--flag", ""]
    output = subprocess.run([*prefix, *arguments], capture_output=True, text=True, check=True).stdout
    assert output.strip() == str(["two words", "$HOME", "'", "--flag", ""])
    assert (tmp_path / "loaded").read_text() == "load vllm/0.33 a b\n"


def test_python_takes_the_place_of_the_shell_that_loads_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".bash_profile").write_text("module() { :; }\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    prefix = command_prefix(Environment(module=("vllm",), python=sys.executable), "site")
    command = [*prefix, "-c", "import os; print(os.getpid())"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert int(process.communicate()[0]) == process.pid


def test_a_module_that_cannot_be_loaded_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".bash_profile").write_text("module() { return 3; }\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    prefix = command_prefix(Environment(module=("vllm",), python=sys.executable), "site")
    result = subprocess.run([*prefix, "-c", "print('ran')"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (3, "")


def test_an_image_is_entered_with_its_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "apptainer")
    monkeypatch.setenv("PATH", str(tmp_path))
    image = tmp_path / "vllm.sif"
    image.touch()
    prefix = command_prefix(Environment(apptainer=str(image)), "image")
    assert prefix == ["apptainer", "exec", "--nv", str(image), "python3"]
    assert command_prefix(Environment(apptainer="docker://vllm"), "image")[3] == "docker://vllm"


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        (
            Environment(lock="envs/x.txt"),
            r"environments: mine: lock: \.envs/mine/bin/python .*snakemake environments",
        ),
        (Environment(python="/no/python"), r"environments: mine: python: /no/python is not a program"),
        (Environment(module=("a",)), r"environments: mine: module: .*bash"),
        (Environment(apptainer="x.sif"), r"environments: mine: apptainer: the command apptainer"),
    ],
)
def test_what_is_not_there_is_named(
    environment: Environment, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BurstlabError, match=message):
        command_prefix(environment, "mine")


def test_a_missing_image_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "apptainer")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BurstlabError, match=r"apptainer: x\.sif does not exist"):
        command_prefix(Environment(apptainer="x.sif"), "mine")
