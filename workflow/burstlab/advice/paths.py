"""From what a user says of model, GPU and engine to what is simulated; what is left out is vLLM's default."""

from __future__ import annotations

from dataclasses import dataclass

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.roofline.attention import BACKENDS
from burstlab.simulator.costs.roofline.constants import GPUS
from burstlab.simulator.costs.roofline.launches import GRAPHS
from burstlab.simulator.costs.roofline.models import MODELS, named_in
from burstlab.simulator.setup import Setup
from burstlab.simulator.vllm_defaults import gdn_path, is_ampere, limits

_EAGER = "eager"


@dataclass(frozen=True)
class Asked:
    """As on the command line; None where nothing was said."""

    model: str
    gpu: str
    gpus: int = 1
    attention: str | None = None
    vllm: str | None = None
    graphs: str = "default"
    chunked_prefill: bool = True
    max_batched_tokens: int | None = None
    max_sequences: int | None = None


def setup_of(asked: Asked) -> Setup:
    """The setup; BurstlabError that names the option and lists what is known. A model may have its name on the hub."""
    name, gpu = named_in(asked.model), asked.gpu.lower()
    said = name if name in MODELS else asked.model
    _known("--model", said, tuple(MODELS), "or --cells FOLDER to take costs from measured cells")
    _known("--gpu", gpu, GPUS, "or --cells FOLDER to take costs from measured cells")
    if asked.gpus < 1:
        raise BurstlabError(
            f"--gpus {asked.gpus}: at least 1, over which the model is split (tensor parallelism)"
        )
    graphs = "none" if asked.graphs == _EAGER else asked.graphs
    _known("--graphs", graphs, GRAPHS, f"{_EAGER} is none")
    tokens, sequences = limits(gpu)
    setup = Setup(
        gpu=gpu,
        model=name,
        attention=_attention(asked.attention, gpu),
        gdn=gdn_of(asked.vllm),
        graphs=graphs,
        tensor_parallel=asked.gpus,
        chunked_prefill=asked.chunked_prefill,
        max_batched_tokens=tokens if asked.max_batched_tokens is None else asked.max_batched_tokens,
        max_sequences=sequences if asked.max_sequences is None else asked.max_sequences,
    )
    setup.check()
    return setup


def gdn_of(vllm: str | None) -> str:
    """The path of Gated DeltaNet layers in a version of vLLM, by default a recent one."""
    if vllm is None:
        return "peeled"
    path = gdn_path(vllm)
    if path is None:
        raise BurstlabError(f"--vllm {vllm}: a version was expected, such as 0.22.1 or 0.32.0")
    return path


def _attention(asked: str | None, gpu: str) -> str:
    ampere = is_ampere(gpu)
    name = (asked or ("FA2" if ampere else "FA3")).upper()
    _known("--attention", name, BACKENDS)
    if ampere and name in ("FA3", "FA4"):
        raise BurstlabError(f"--attention {name}: {gpu} is an Ampere GPU, which runs FA2 or FLASHINFER")
    return name


def _known(option: str, value: str, known: tuple[str, ...], more: str = "") -> None:
    if value not in known:
        raise BurstlabError(
            f"{option} {value}: not known; there are {', '.join(known)}{f'; {more}' if more else ''}"
        )
