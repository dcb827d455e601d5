"""The command line and environment of a vLLM server, from the study's words for it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from burstlab.study.profiled import ProfiledEngine
from burstlab.study.schema import Engine, Model, Platform

# Held fixed in every study: prefix caching makes repeated seeds look fast (vLLM issue 54227), asynchronous scheduling makes the
# logged iteration times meaningless, and more than one API server silences the iteration log.
_DISCIPLINE = (
    "--no-enable-prefix-caching",
    "--no-async-scheduling",
    "--enable-logging-iteration-details",
    "--api-server-count",
    "1",
    "--disable-uvicorn-access-log",
    "--seed",
    "0",
)

# Python stacks would cost more time than the kernels, the front end has none, and zipping a trace or summing it up takes longer
# than writing it.
_TORCH_PROFILER = {
    "torch_profiler_with_stack": False,
    "torch_profiler_use_gzip": False,
    "torch_profiler_dump_cuda_time_total": False,
    "ignore_frontend": True,
}
# What an engine is told so that ranges named after its iterations are in the trace of nsys: torch.cuda.nvtx opens them.
_NSYS = {"profiler": "cuda"}

# Snakemake sets these to the threads of a job. An engine chooses its own: two threads bound to the one core that vLLM gives its
# worker on a machine of two made a decode step fifty times slower.
_THREAD_VARIABLES = frozenset(
    f"{library}_THREADS"
    for library in ("OMP_NUM", "GOTO_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMEXPR_NUM", "VECLIB_MAXIMUM")
)


def _graph_arguments(engine: Engine) -> list[str]:
    match engine.cuda_graphs:
        case "default":
            return []
        case "none":
            return ["--enforce-eager"]
        case mode:
            return [f"-cc.cudagraph_mode={mode.upper()}"]


def _attention_arguments(engine: Engine) -> list[str]:
    # VLLM_ATTENTION_BACKEND is ignored without a word (vLLM issue 50292), hence always the configuration.
    wanted: dict[str, str | int] = {}
    if engine.attention_backend is not None:
        wanted["backend"] = engine.attention_backend
    if engine.flash_attn_version is not None:
        wanted["flash_attn_version"] = engine.flash_attn_version
    return ["--attention-config", json.dumps(wanted, separators=(",", ":"))] if wanted else []


def _limit_arguments(engine: Engine, model: Model) -> list[str]:
    numbers = {
        "--dtype": engine.dtype_for(model),
        "--max-model-len": engine.max_model_len,
        "--max-num-batched-tokens": engine.max_batched_tokens,
        "--max-num-seqs": engine.max_sequences,
        "--tensor-parallel-size": model.tensor_parallel if model.tensor_parallel > 1 else None,
    }
    return [part for flag, value in numbers.items() if value is not None for part in (flag, str(value))]


def _scheduler_arguments(engine: Engine) -> list[str]:
    chunked = "--enable-chunked-prefill" if engine.chunked_prefill else "--no-enable-chunked-prefill"
    return [chunked] if engine.scheduler == "default" else [chunked, "--scheduler-cls", engine.scheduler]


def _extra_arguments(arguments: Mapping[str, object]) -> list[str]:
    parts: list[str] = []
    for name, value in arguments.items():
        flag = f"--{name.removeprefix('--').replace('_', '-')}"
        if value is True:
            parts.append(flag)
        elif value is False:
            parts.append(f"--no-{flag[2:]}")
        else:
            parts += [flag, json.dumps(value) if isinstance(value, dict | list) else str(value)]
    return parts


def _profiler_arguments(engine: Engine, traces: Path | None) -> list[str]:
    if not isinstance(engine, ProfiledEngine):
        return []
    if traces is None:
        raise ValueError("a profiled engine needs a folder for its traces")
    torch = {"profiler": "torch", "torch_profiler_dir": str(traces), **_TORCH_PROFILER}
    wanted = _NSYS if engine.profiler == "nsys" else torch
    return ["--profiler-config", json.dumps(wanted, separators=(",", ":"))]


def server_arguments(
    engine: Engine, model: Model, model_arguments: Sequence[str], port: int, traces: Path | None = None
) -> list[str]:
    """Arguments of `vllm serve`, on loopback.

    `model_arguments` says which weights: what `models.resolve` answers, e.g. `["meta-llama/…", "--revision", "…"]`.
    `traces` is the folder to which a profiled engine writes.
    """
    return [
        *model_arguments,
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        *_limit_arguments(engine, model),
        *_attention_arguments(engine),
        *_graph_arguments(engine),
        *_scheduler_arguments(engine),
        *_DISCIPLINE,
        *_profiler_arguments(engine, traces),
        *_extra_arguments(engine.arguments),
    ]


def model_arguments_of(engine: Engine, model: Model, model_arguments: Sequence[str]) -> list[str]:
    """Arguments of what runs the model of an engine without a server, such as `vllm bench forward`."""
    name, *others = model_arguments
    return [
        *("--model", name),
        *others,
        *_limit_arguments(engine, model),
        *_attention_arguments(engine),
        *_graph_arguments(engine),
        *("--no-enable-prefix-caching", "--seed", "0"),
        *_extra_arguments(engine.arguments),
    ]


def engine_environment(
    platform: Platform, engine: Engine, devices: Sequence[str], *, local_model: bool
) -> dict[str, str]:
    """Environment variables that the study sets for the server, beside those it inherits."""
    settings = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "VLLM_HOST_IP": "127.0.0.1"}
    if isinstance(engine, ProfiledEngine) and engine.profiler == "torch":
        settings |= {"VLLM_CUSTOM_SCOPES_FOR_PROFILING": "1"}  # names the phases of an iteration in the trace
    if local_model:
        settings |= {"HF_HUB_OFFLINE": "1"}
    if platform.kind == "cpu":
        settings |= {"VLLM_TARGET_DEVICE": "cpu", "VLLM_CPU_KVCACHE_SPACE": f"{platform.kvcache_gib:g}"}
    else:
        # nvidia-smi, from which the indices are, counts in this order; CUDA would put the fastest GPU first.
        settings |= {"CUDA_VISIBLE_DEVICES": ",".join(devices), "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    return settings | dict(engine.environment_variables)


def inherited_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """What an engine inherits of `variables`: all but the numbers of threads that a workflow manager set, and the key with
    which vLLM would lock out its own client.
    """
    left_out = _THREAD_VARIABLES | {"VLLM_API_KEY"}
    return {name: value for name, value in variables.items() if name not in left_out}
