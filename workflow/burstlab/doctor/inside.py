"""Run by the engine's own Python: which vLLM it has, and which attention kernels can be imported there.

Takes names of attention backends as arguments, or fa2, fa3, fa4 for versions of FlashAttention; prints one line of JSON, last:
{"vllm": version or null, "error": why not, "backends": {name: why not, or null if it can}}. Imports nothing of burstlab.
"""

import contextlib
import importlib
import io
import json
import sys

# A backend's class can be imported where its kernels cannot.
_KERNELS = {"FLASH_ATTN": "vllm.vllm_flash_attn", "FLASHINFER": "flashinfer", "TRITON_ATTN": "triton"}


def _reason(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200] if lines else ''}"


def _flash_attention(version: int) -> str | None:
    kernels = importlib.import_module("vllm.vllm_flash_attn.flash_attn_interface")
    why_not: str | None = kernels.fa_version_unsupported_reason(version)
    return why_not


def _import_backend(name: str) -> None:
    registry = importlib.import_module("vllm.v1.attention.backends.registry")
    registry.AttentionBackendEnum[name].get_class()
    kernels = _KERNELS.get(name.removesuffix("_MLA"))
    if kernels is not None:
        importlib.import_module(kernels)


def _why_not(name: str) -> str | None:
    try:
        if name.startswith("fa"):
            return _flash_attention(int(name[2:]))
        _import_backend(name)
    except BaseException as error:  # noqa: BLE001 - whatever an import raises is the answer
        return _reason(error)
    return None


def look(names: list[str]) -> dict[str, object]:
    """What is printed."""
    try:
        version = importlib.import_module("vllm").__version__
    except BaseException as error:  # noqa: BLE001
        return {"vllm": None, "error": _reason(error), "backends": {}}
    return {"vllm": version, "error": None, "backends": {name: _why_not(name) for name in names}}


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()):
        answer = look(sys.argv[1:])
    print(json.dumps(answer))
