"""What the models that burstlab builds cannot do, whatever engine runs them."""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.study.faults import Fault, Path
from burstlab.study.schema import Study


def faults_of_tiny_models(study: Study) -> Iterator[Fault]:
    """Engines of blocks that their built models cannot serve; names in blocks must lead somewhere."""
    yield from dict.fromkeys(_faults(study))


def _faults(study: Study) -> Iterator[Fault]:
    for block in study.blocks:
        # Nothing built is ever simulated, which `simulable` says.
        kinds = {study.platforms[name].kind for name in block.platforms} - {"simulated"}
        for model in block.models if kinds else ():
            for engine in block.engines:
                yield from _of_pair(study, model, engine, on_cpu="cpu" in kinds)


def _of_pair(study: Study, model: str, engine: str, *, on_cpu: bool) -> Iterator[Fault]:
    build = study.models[model].build
    if build is None:
        return
    from burstlab.models.recipes import MAX_POSITIONS, RECIPES  # only now: it is not cheap to import

    asked = study.engines[engine]
    if asked.max_model_len is not None and asked.max_model_len > MAX_POSITIONS:
        message = f"model {model} is a {build}, which has {MAX_POSITIONS} positions: vLLM would not start"
        yield Fault(("engines", engine, "max_model_len"), message)
    dtype = asked.dtype_for(study.models[model])
    linear = "linear_attention" in RECIPES[build]["config"].get("layer_types", ())
    if on_cpu and linear and dtype not in ("auto", "bfloat16"):
        path: Path = ("engines", engine, "dtype") if asked.dtype else ("models", model, "dtype")
        yield Fault(path, f"the kernel of {build} for CPUs takes bfloat16 and nothing else")
