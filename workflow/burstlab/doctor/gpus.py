"""Are the GPUs of the platforms there: enough of them, and of the right model?"""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject
from burstlab.engine.devices import is_model
from burstlab.study.schema import Platform

CHECK = "gpus"


def check(subject: Subject) -> Iterator[Finding]:
    """A finding a platform that is a GPU, and more where several things are wrong with it."""
    for name, platform in subject.gpu_platforms.items():
        faults = [*_count(name, platform, subject), *_model(name, platform, subject)]
        names = ", ".join(gpu.name for gpu in subject.gpus.found)
        yield from faults or [Finding(CHECK, "ok", f"GPUs here: {names}", path=("platforms", name))]


def _count(name: str, platform: Platform, subject: Subject) -> Iterator[Finding]:
    gpus = subject.gpus
    path = ("platforms", name, "gpus")
    if not gpus.found:
        cure = "measure this platform on a machine that has its GPU, or a platform of kind cpu here"
        yield Finding(CHECK, "error", f"no GPU can be used on this machine: {gpus.why_none}", cure, path)
    elif platform.gpus > len(gpus.found):
        cure = "lower `gpus`, or let CUDA_VISIBLE_DEVICES name more of them"
        found = f"a session takes {platform.gpus} GPUs, this machine offers {len(gpus.found)}"
        yield Finding(CHECK, "error", found, cure, path)


def _model(name: str, platform: Platform, subject: Subject) -> Iterator[Finding]:
    path = ("platforms", name, "gpu_model")
    if platform.gpu_model is None:
        return
    others = [gpu for gpu in subject.gpus.found if not is_model(platform.gpu_model, gpu.name)]
    if not others:
        return
    listed = ", ".join(f"GPU {gpu.index} is {gpu.name!r}" for gpu in others)
    few = len(subject.gpus.found) - len(others) < platform.gpus
    # A session leases the first GPUs that are free, whatever they are, and refuses to measure on another model.
    cure = (
        "measure this platform where such GPUs are, or correct gpu_model"
        if few
        else "let CUDA_VISIBLE_DEVICES name the others alone"
    )
    yield Finding(CHECK, "error", f"{listed}, and cells measured there would bear the wrong name", cure, path)
