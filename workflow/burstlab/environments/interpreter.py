"""How to start Python in the environment that an engine names: built here, or one of the user's own."""

import shlex
import shutil
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.study.schema import Environment

BUILT = Path(".envs")
"""Where the workflow builds environments, relative to the repository."""


def command_prefix(environment: Environment, name: str) -> list[str]:
    """The argv that starts Python in `environment`, to which Python's arguments are appended.

    `name` is what the configuration calls it. What it starts replaces itself by Python, so that signals reach
    that. Raises BurstlabError when there is no such Python, image or command.
    """
    if environment.lock is not None:
        return [
            _program(BUILT / name / "bin" / "python", name, "lock", "build it with `snakemake environments`")
        ]
    if environment.module is not None:
        return _with_modules(environment.module, environment.python or "python3", name)
    if environment.apptainer is not None:
        return _in_image(environment.apptainer, name)
    python = Path(environment.python or "").expanduser()
    return [_program(python, name, "python", "give the path of a Python that can import vllm")]


def _program(path: Path, name: str, key: str, remedy: str) -> str:
    if shutil.which(path) is None:
        raise BurstlabError(f"environments: {name}: {key}: {path} is not a program; {remedy}")
    return str(path)


def _with_modules(modules: tuple[str, ...], python: str, name: str) -> list[str]:
    """A login shell, since it is login that defines `module`; "$@" hands Python its arguments untouched."""
    if shutil.which("bash") is None:
        raise BurstlabError(f"environments: {name}: module: loading modules needs bash, which is not there")
    script = f'module load {shlex.join(modules)} && exec {shlex.quote(python)} "$@"'
    return ["bash", "-lc", script, "burstlab"]


def _in_image(image: str, name: str) -> list[str]:
    """`--nv` hands over the GPUs, and is no more than a warning where there are none."""
    if shutil.which("apptainer") is None:
        raise BurstlabError(f"environments: {name}: apptainer: the command apptainer is not on PATH")
    if "://" not in image and not Path(image).exists():
        raise BurstlabError(
            f"environments: {name}: apptainer: {image} does not exist; give an image's path or URI"
        )
    return ["apptainer", "exec", "--nv", image, "python3"]
