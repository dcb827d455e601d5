"""One engine start: devices leased, server and client up, warmed, until the block ends."""

import contextlib
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burstlab.bench.client import Client
from burstlab.bench.command import warm_up_arguments
from burstlab.engine.command import engine_environment, inherited_environment, server_arguments
from burstlab.engine.devices import check_gpu_model, cpu_devices
from burstlab.engine.lease import lease
from burstlab.engine.reported import reported
from burstlab.engine.server import Server, free_port
from burstlab.engine.visible_gpus import visible_gpus
from burstlab.environments.interpreter import command_prefix
from burstlab.errors import BurstlabError
from burstlab.models.resolve import model_arguments
from burstlab.secret_names import without_secret_arguments, without_secrets
from burstlab.session.recorder import Recorder
from burstlab.session.versions import check_versions, versions
from burstlab.study.cells import Session
from burstlab.study.schema import Study

# Sessions of one study queue for the devices of one machine, each for as long as the others take.
LEASE_WAIT_S = 7 * 24 * 3600.0
START_TIMEOUT_S = 1800.0
# Warm-up prompts are random token ids below this bound, which every tokenizer has, drawn from a generator that no workload uses.
_WARM_UP_TOKEN_IDS = (100, 1000)
_WARM_UP_REQUESTS = 2
_WARM_UP_PROMPT_TOKENS = 64
_WARM_UP_OUTPUT_TOKENS = 8


@dataclass(frozen=True)
class EngineRun:
    """What is up, and what a record says about it."""

    server: Server
    client: Client
    model: str
    python: tuple[str, ...]
    settings: dict[str, str]
    reported: dict[str, Any]
    versions: dict[str, str | None]
    recorder: Recorder | None = None
    """What records the kernels of a profiled engine."""

    def recorded_settings(self) -> dict[str, str]:
        """Environment variables that the study set, without secrets."""
        return without_secrets(self.settings)

    def warm_up_once(self) -> None:
        """Run a short benchmark that is thrown away, so that the first cell meets a warm engine and client."""
        arguments = warm_up_arguments(base_url=self.server.base_url, model=self.model)
        self.client.run(arguments, planned_send_s=None, timeout_s=START_TIMEOUT_S)
        self.server.wait_idle()

    def warm_up_between(self, seed: str) -> None:
        """Send a few prompts that belong to no workload, one after another."""
        generator = random.Random(f"burstlab warm-up {seed}")  # noqa: S311 - not for security
        for _ in range(_WARM_UP_REQUESTS):
            prompt = [generator.randrange(*_WARM_UP_TOKEN_IDS) for _ in range(_WARM_UP_PROMPT_TOKENS)]
            self.server.complete(self.model, prompt, _WARM_UP_OUTPUT_TOKENS)


@contextlib.contextmanager
def engine_run(
    study: Study,
    session: Session,
    logs: Path,
    say: Callable[[str], None],
    tell: Callable[[str], None],
    meanwhile: Callable[[], None] = lambda: None,
    recorder: Recorder | None = None,
) -> Iterator[EngineRun]:
    """Lease the devices, start the server and the client at the same time, and end both with the block.

    `tell` gets what someone who waits should see, `say` the details; `meanwhile` is done while they start;
    `recorder` is for an engine that records its kernels.
    """
    platform = study.platforms[session.platform]
    engine = study.engines[session.engine]
    model = study.models[session.model]
    python = command_prefix(study.environments[engine.environment], engine.environment)
    devices = {name: name for name in cpu_devices()} if platform.kind == "cpu" else visible_gpus()
    with lease(list(devices), max(1, platform.gpus), wait_s=LEASE_WAIT_S, say=tell) as held:
        if platform.gpu_model is not None:
            check_gpu_model(platform.gpu_model, held)
        weights = model_arguments(session.model, model)
        names = [devices[device] for device in held]
        settings = engine_environment(platform, engine, names, local_model=model.hub is None)
        environment = {
            **inherited_environment(os.environ),
            **(recorder.environment if recorder else {}),
            **settings,
        }
        port = free_port()
        command = [
            *(recorder.prefix if recorder else []),
            *python,
            *("-m", "vllm.entrypoints.cli.main", "serve"),
            *server_arguments(engine, model, weights, port, recorder.folder if recorder else None),
            *(recorder.arguments if recorder else []),
        ]
        say(f"starting the engine: {' '.join(without_secret_arguments(command))}")
        tell(f"starting the engine, which takes a minute or more; its output: {logs / 'engine.log'}")
        with (
            Server(
                command, port=port, environment=environment, log=logs / "engine.log", folder=study.root
            ) as server,
            Client(python, environment, logs / "client.log", folder=study.root) as client,
        ):
            meanwhile()
            server.wait_healthy(START_TIMEOUT_S)
            client.wait_ready()
            used = _reported(logs / "engine.log")
            tell(f"the engine is ready after {server.start_s:.1f} s")
            say(f"the engine says it uses {used}")
            check_versions(study, session, client.versions, used)
            found = versions(study, session, client.versions)
            yield EngineRun(server, client, weights[0], tuple(python), settings, used, found, recorder)


def _reported(log: Path) -> dict[str, Any]:
    used: dict[str, Any] = dict(reported(log))
    if not used:
        raise BurstlabError(f"the engine's log says nothing about its settings; is this vLLM? log: {log}")
    return used
