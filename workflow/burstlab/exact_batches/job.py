"""The workflow's job that times the exact batches of one engine."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from burstlab.engine.command import engine_environment, inherited_environment, model_arguments_of
from burstlab.engine.devices import check_gpu_model, cpu_devices
from burstlab.engine.lease import lease
from burstlab.engine.visible_gpus import visible_gpus
from burstlab.environments.interpreter import command_prefix
from burstlab.errors import BurstlabError
from burstlab.exact_batches import bench_forward
from burstlab.exact_batches.bench_forward import time_forward
from burstlab.exact_batches.model_runner import WITH, time_in_process
from burstlab.exact_batches.record import write_times
from burstlab.exact_batches.shapes import shapes_for
from burstlab.exact_batches.timed import Timed
from burstlab.models.resolve import model_arguments
from burstlab.session.cpu_time import passed_between, read_cpu
from burstlab.session.watch import end_with, leave_on_signals
from burstlab.study.load import load_study
from burstlab.study.schema import Study

_LEASE_WAIT_S = 7 * 24 * 3600.0


def time_from_workflow(
    *,
    config: Mapping[str, Any],
    names: Sequence[str],
    output: Path,
    log: Path,
    workflow_pid: int,
) -> None:
    """Time the exact batches of one engine into `output`, and end with the workflow.

    `names` are those of its platform, its model and itself. Where vLLM fails at it, the file says so. SystemExit with one
    message when it cannot be tried.
    """
    leave_on_signals()
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"")

    def say(message: str) -> None:
        with log.open("a") as sink:
            print(message, file=sink)

    try:
        end_with(workflow_pid)
        study = load_study(config, [], Path.cwd())
        platform, model, engine = names
        shapes = shapes_for(study.platforms[platform].kind, study.engines[engine])
        if shapes:
            timed = _time(study, platform, model, engine, log, say)
        else:
            timed = Timed("nothing", None, None, (), "the engine's limits allow none of the batches")
        write_times(output, platform, model, engine, shapes, timed)
        if timed.why is not None:
            print(
                f"{'/'.join(names)}: no exact batches: {timed.why}; to try again, delete {output}",
                file=sys.stderr,
            )
    except BurstlabError as error:
        say(str(error))
        raise SystemExit(f"exact batches of {'/'.join(names)}: {error}") from None


def _time(
    study: Study, platform_name: str, model_name: str, engine_name: str, log: Path, say: Callable[[str], None]
) -> Timed:
    platform, model = study.platforms[platform_name], study.models[model_name]
    engine = study.engines[engine_name]
    python = command_prefix(study.environments[engine.environment], engine.environment)
    on_cpu = platform.kind == "cpu"
    devices = {name: name for name in cpu_devices()} if on_cpu else visible_gpus()
    with (
        lease(list(devices), max(1, platform.gpus), wait_s=_LEASE_WAIT_S, say=say) as held,
        tempfile.TemporaryDirectory(prefix="burstlab-exact-") as scratch,
    ):
        if platform.gpu_model is not None:
            check_gpu_model(platform.gpu_model, held)
        settings = engine_environment(
            platform, engine, [devices[device] for device in held], local_model=model.hub is None
        )
        measure = time_in_process if on_cpu else partial(time_forward, gpus=model.tensor_parallel)
        arguments = model_arguments_of(engine, model, model_arguments(model_name, model))
        before = read_cpu()
        try:
            timed = measure(
                python,
                arguments,
                shapes_for(platform.kind, engine),
                {**inherited_environment(os.environ), **settings},
                Path(scratch),
                log,
            )
        except BurstlabError as error:
            # No cell depends on these times, so a study goes on without them, and says so.
            say(str(error))
            timed = Timed(
                WITH if on_cpu else bench_forward.WITH, None, None, (), f"timing them failed, see {log}"
            )
        passed = passed_between(before, read_cpu())
        others_s = max(0.0, passed.busy_s - passed.own_s)
        return replace(timed, others_share=min(1.0, others_s / (passed.wall_s * passed.cores)))
