"""`mode: simulated`: the study in which every GPU is simulated, and stand-ins are sent in place of downloads.

Its platforms and workloads have names of their own, so that no path, figure or table of it can be taken for a measured one's.
"""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.simulator.costs.roofline.constants import GPUS
from burstlab.study.faults import Fault, Path
from burstlab.study.platform import Platform
from burstlab.study.schema import Block, Dataset, Profiles, Study
from burstlab.study.simulable import SUFFIX

PREFIX = "synthetic-"
"""What names of data sets and workloads begin with that stand in for others."""
_STAND_INS = {"sharegpt": "synthetic-sharegpt", "burstgpt": "synthetic-burstgpt"}
_ROWS = 2000
_LONGEST_TOKENS = 1024


def simulated(study: Study) -> Study:
    """The study that is simulated in place of `study`, which has no `faults_of_mode`."""
    platforms = {_platform_name(study, name): _platform(name, one) for name, one in study.platforms.items()}
    datasets = {
        _dataset_name(study, name): _stand_in(study, one) if _replaced(one) else one
        for name, one in study.datasets.items()
    }
    workloads = {
        _workload_name(study, name): one.model_copy(update={"dataset": _dataset_name(study, one.dataset)})
        for name, one in study.workloads.items()
    }
    blocks = tuple(_block(study, block) for block in study.blocks)
    changed = {
        "platforms": platforms,
        "datasets": datasets,
        "workloads": workloads,
        "blocks": blocks,
        "profiles": _profiles(study),
    }
    return study.model_copy(update=changed).at(study.root)


def faults_of_mode(study: Study) -> Iterator[Fault]:
    """What cannot be simulated of `study` as it stands in the configuration."""
    for name, platform in study.platforms.items():
        if platform.kind == "cpu":
            message = (
                "mode: simulated simulates GPUs, and knows no CPU: leave its blocks and this platform out"
            )
            yield Fault(("platforms", name, "kind"), message)
        elif not platform.simulated and _gpu(name, platform) is None:
            message = f"mode: simulated knows the GPUs {', '.join(GPUS)}: set gpu_model to one, or name the platform so"
            yield Fault(("platforms", name), message)
    for path, block in _places(study):
        for item, name in enumerate(block.traces):
            dataset = study.datasets[name]
            if dataset.url is not None and not _replaced(dataset):
                message = f"mode: simulated downloads nothing, and there is no stand-in for a {dataset.source}: give a path"
                yield Fault((*path, "traces", item), message)
    for section, renamed in (
        ("platforms", _platform_name),
        ("datasets", _dataset_name),
        ("workloads", _workload_name),
    ):
        names = getattr(study, section)
        for name in names:
            new = renamed(study, name)
            if new != name and new in names:
                yield Fault(
                    (section, name), f"mode: simulated calls it {new}, which is taken: rename one of them"
                )


def _places(study: Study) -> Iterator[tuple[Path, Block]]:
    """All blocks, those of profiled runs too, and where they stand."""
    for place, block in enumerate(study.blocks):
        yield ("blocks", place), block
    for place, block in enumerate(() if study.profiles is None else study.profiles.blocks):
        yield ("profiles", "blocks", place), block


def _profiles(study: Study) -> Profiles | None:
    if study.profiles is None:
        return None
    blocks = tuple(_block(study, block) for block in study.profiles.blocks)
    return study.profiles.model_copy(update={"blocks": blocks})


def _block(study: Study, block: Block) -> Block:
    names = {
        "platforms": tuple(_platform_name(study, name) for name in block.platforms),
        "workloads": tuple(_workload_name(study, name) for name in block.workloads),
        "traces": tuple(_dataset_name(study, name) for name in block.traces),
    }
    return block.model_copy(update=names)


def _platform_name(study: Study, name: str) -> str:
    return name if study.platforms[name].simulated else f"{name}{SUFFIX}"


def _platform(name: str, platform: Platform) -> Platform:
    if platform.simulated:
        return platform
    keys = {"kind": "simulated", "gpu_model": _gpu(name, platform), "gpus": platform.gpus}
    return Platform.model_validate(keys)


def _gpu(name: str, platform: Platform) -> str | None:
    """The simulator's name of a GPU; clusters have names of their own, such as a100."""
    return next((known for known in (platform.gpu_model, name) if known in GPUS), None)


def _replaced(dataset: Dataset) -> bool:
    """ShareGPT has texts, whose lengths in tokens take a tokenizer; BurstGPT has lengths, if the file is there."""
    return dataset.source == "sharegpt" or (dataset.source == "burstgpt" and dataset.path is None)


def _dataset_name(study: Study, name: str) -> str:
    return f"{PREFIX}{name}" if name in study.datasets and _replaced(study.datasets[name]) else name


def _workload_name(study: Study, name: str) -> str:
    dataset = study.workloads[name].dataset
    return f"{PREFIX}{name}" if _dataset_name(study, dataset) != dataset else name


def _stand_in(study: Study, dataset: Dataset) -> Dataset:
    """With a row for each request, and one more for the gap before the first of a trace."""
    most = max((one.requests for one in study.workloads.values()), default=0) + 1
    limit = dataset.max_total_tokens or 2 * _LONGEST_TOKENS
    recipe = {
        "source": _STAND_INS[dataset.source],
        "rows": max(_ROWS, most),
        "max_prompt_tokens": min(_LONGEST_TOKENS, max(4, limit // 2)),
        "max_output_tokens": min(_LONGEST_TOKENS, max(4, limit // 2)),
    }
    return Dataset.model_validate(recipe)
