"""Checks of single values, each with the message that a user reads."""

from __future__ import annotations

import math
import re
from typing import Any

from burstlab.secret_names import is_secret, is_secret_url
from burstlab.study.faults import FaultAtError

INF = math.inf
LARGEST_SEED = 2**32 - 2  # one less than what NumPy takes: that one is the warm-up's

_NO_SECRETS = "secrets would be recorded with each cell: set it in your shell, servers inherit it"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_FLAG = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SCHEDULER = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")

# Flags that burstlab sets itself, and the key to use in their place, if there is one.
_OWN_FLAGS = {
    "model": "models",
    "revision": "models.*.revision",
    "dtype": "dtype",
    "tensor-parallel-size": "models.*.tensor_parallel",
    "attention-backend": "attention_backend",
    "attention-config": "attention_backend and flash_attn_version",
    "enforce-eager": "cuda_graphs: none",
    "enable-chunked-prefill": "chunked_prefill",
    "scheduler-cls": "scheduler",
    "max-model-len": "max_model_len",
    "max-num-batched-tokens": "max_batched_tokens",
    "max-num-seqs": "max_sequences",
    "seed": None,
    "host": None,
    "port": None,
    "served-model-name": None,
    "api-server-count": None,
    "enable-prefix-caching": None,
    "async-scheduling": None,
    "enable-logging-iteration-details": None,
    "disable-log-stats": None,
    "config": None,
    "uds": None,
    "compilation-config": "cuda_graphs",
    "profiler-config": "profiles",
    "api-key": None,
    "hf-token": None,
}

_OWN_VARIABLES = {
    "VLLM_ATTENTION_BACKEND": "vLLM ignores it silently: use attention_backend",
    "CUDA_VISIBLE_DEVICES": "GPUs are leased by the workflow",
    "CUDA_DEVICE_ORDER": "GPUs are leased by the workflow, in the order of their PCI bus",
    "VLLM_CPU_KVCACHE_SPACE": "use the platform's kvcache_gib",
}


def name(value: str) -> str:
    """A name that is safe as a part of a path on any file system, and in Snakemake's wildcards."""
    if not _NAME.fullmatch(value):
        raise ValueError(
            "a name has small letters, digits, '.', '_' and '-' only and starts with a letter or digit"
        )
    return value


def rate(value: Any) -> float:
    """A request rate in requests per second."""
    number = _number(value, "a request rate")
    if not number > 0:
        raise ValueError("a request rate must be above 0 (requests per second), or inf for all at once")
    return number


def burstiness(value: Any) -> float:
    """The shape of the gamma distribution of gaps."""
    number = _number(value, "burstiness")
    if not number > 0:
        raise ValueError(
            "burstiness must be above 0: 1.0 is Poisson, lower is burstier, inf is evenly spaced"
        )
    return number


def seed(value: Any) -> int:
    """A seed of NumPy's generators."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_SEED:
        raise ValueError(f"a seed must be a whole number from 0 to {LARGEST_SEED}")
    return value


def flag(value: Any) -> bool:
    """A switch. `--config key=false` on Snakemake's command line gives text, so that is taken too."""
    switches = {"true": True, "false": False}
    if isinstance(value, str) and value.lower() in switches:
        return switches[value.lower()]
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def sha256(value: str) -> str:
    """A SHA-256 in hexadecimal."""
    if not re.fullmatch(r"[0-9a-f]{64}", value):
        raise ValueError("a SHA-256 has 64 small hexadecimal digits (quote it)")
    return value


def scheduler(value: str) -> str:
    """`default`, or the dotted name of a class."""
    if value != "default" and not _SCHEDULER.fullmatch(value):
        raise ValueError(
            "a scheduler is 'default' or the dotted name of a class, such as package.module.Class"
        )
    return value


def engine_flags(flags: dict[str, Any]) -> dict[str, Any]:
    """Extra flags of `vllm serve`: none that burstlab sets itself, spelt without their leading dashes."""
    for key, value in flags.items():
        if not _FLAG.fullmatch(key):
            raise FaultAtError(key, "write a flag's name without its leading dashes, such as block-size")
        plain = key.replace("_", "-").removeprefix("no-")
        if plain in _OWN_FLAGS:
            instead = _OWN_FLAGS[plain]
            raise FaultAtError(key, f"use {instead}" if instead else "the workflow sets this flag itself")
        if is_secret(key) or _names_a_secret(value):
            raise FaultAtError(key, _NO_SECRETS)
        if value is None:
            raise FaultAtError(key, "has no value: write true for a bare flag")
        _json_able(key, value)
    return flags


def environment_variables(variables: dict[str, str]) -> dict[str, str]:
    """Environment variables of the server."""
    for key in variables:
        if not _VARIABLE.fullmatch(key):
            raise FaultAtError(key, "a variable's name has letters, digits and '_' only")
        if key in _OWN_VARIABLES:
            raise FaultAtError(key, _OWN_VARIABLES[key])
        if is_secret(key):
            raise FaultAtError(key, _NO_SECRETS)
    return variables


def url(value: str) -> str:
    """An address that may be recorded."""
    if is_secret_url(value):
        raise ValueError(
            "a password or token in it would be recorded: download the file and give its path and sha256"
        )
    return value


def _names_a_secret(value: Any) -> bool:
    if isinstance(value, dict):
        return any(is_secret(str(name_)) or _names_a_secret(inner) for name_, inner in value.items())
    return isinstance(value, list) and any(map(_names_a_secret, value))


def distinct(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list without repetitions."""
    for place, value in enumerate(values):
        if value in values[:place]:
            raise FaultAtError(place, f"{value} stands there twice")
    return values


def collections(value: Any) -> Any:
    """`all`, or a list of names of collections."""
    if value == "all":
        return value
    if not isinstance(value, list | tuple):
        raise ValueError("must be all, or a list of names of folders in collections/, such as [default]")
    for place, item in enumerate(value):
        if not isinstance(item, str) or not _NAME.fullmatch(item):
            raise FaultAtError(place, f"{item!r} is no name of a collection")
    return distinct(tuple(value))


def _number(value: Any, what: str) -> float:
    if value == "inf":
        return INF
    if isinstance(value, str):
        raise ValueError(f"{what} must be a number, not text{_plain_spelling(value)}")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{what} must be a number, or inf")
    return float(value)


def _plain_spelling(text: str) -> str:
    # YAML 1.1 reads 1e3 as text, because it has no point.
    try:
        number = float(text)
    except ValueError:
        return ""
    return f": write {number!r} without quotes" if math.isfinite(number) else ""


def _json_able(key: str, value: Any) -> None:
    if isinstance(value, dict):
        for name_, inner in value.items():
            if not isinstance(name_, str):
                raise FaultAtError(key, f"its key {name_!r} must be text: quote it")
            _json_able(key, inner)
    elif isinstance(value, list):
        for inner in value:
            _json_able(key, inner)
    elif value is not None and not isinstance(value, str | bool | int | float):
        raise FaultAtError(key, f"{value!r} is neither text nor number: quote it")
    elif isinstance(value, float) and not math.isfinite(value):
        raise FaultAtError(key, f"{value!r} is no finite number")
