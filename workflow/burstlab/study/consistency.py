"""Faults between entries of a configuration: names that lead nowhere, combinations that cannot run."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from burstlab.collections.places import names_there
from burstlab.study.cells import Cell
from burstlab.study.expand import cells_of
from burstlab.study.faults import Fault, suggestion
from burstlab.study.longest import context_tokens, longest
from burstlab.study.profiled import profiled
from burstlab.study.schema import RANDOM, Block, Engine, Model, Platform, Study
from burstlab.study.simulable import faults_of_names, faults_of_simulated
from burstlab.study.tiny_models import faults_of_tiny_models


def faults_between(study: Study) -> list[Fault]:
    """All such faults; combinations are checked only where the names lead somewhere."""
    found = [
        *_collections(study),
        *_files(study),
        *_models(study),
        *_engines(study),
        *_workloads(study),
        *_names(study),
        *faults_of_names(study),
    ]
    return found or [
        *_combinations(study),
        *faults_of_simulated(study),
        *faults_of_tiny_models(study),
        *_repetitions(study),
        *_profiles(study),
    ]


def _collections(study: Study) -> Iterator[Fault]:
    there = names_there(study.root)
    if study.collections == "all":
        if not there and not study.blocks:
            yield Fault(
                ("collections",), "there is no collection in collections/, and no block: nothing to show"
            )
        return
    for item, name in enumerate(study.collections):
        if name not in there:
            message = f"no such collection in collections/; {suggestion(name, there)}"
            yield Fault(("collections", item), message)


def _files(study: Study) -> Iterator[Fault]:
    for name, environment in study.environments.items():
        if environment.lock is not None and not (study.root / environment.lock).is_file():
            message = (
                "no such file: a lock is a pinned requirements file, its path relative to the study's folder"
            )
            yield Fault(("environments", name, "lock"), message)
    for name, dataset in study.datasets.items():
        if dataset.path is not None and dataset.sha256 is None and not (study.root / dataset.path).is_file():
            yield Fault(
                ("datasets", name, "path"), "no such file (with its sha256 given, it may be elsewhere)"
            )


def _models(study: Study) -> Iterator[Fault]:
    builds = {name: model.build for name, model in study.models.items() if model.build is not None}
    if builds:
        from burstlab.models.recipes import RECIPES  # only now: it is not cheap to import

        for name, build in builds.items():
            if build not in RECIPES:
                yield Fault(("models", name, "build"), f"no such recipe; {suggestion(build, RECIPES)}")


def _engines(study: Study) -> Iterator[Fault]:
    for name, engine in study.engines.items():
        yield from _unknown(
            engine.environment, study.environments, ("engines", name, "environment"), "environment"
        )


def _workloads(study: Study) -> Iterator[Fault]:
    if RANDOM in study.datasets:
        yield Fault(("datasets", RANDOM), "this name is taken by vLLM's random dataset, which needs no entry")
    for name, workload in study.workloads.items():
        path = ("workloads", name, "dataset")
        yield from _unknown(workload.dataset, {RANDOM: None, **study.datasets}, path, "dataset")
        dataset = study.datasets.get(workload.dataset)
        if dataset is not None and dataset.synthetic and dataset.rows < workload.requests:
            message = (
                f"more than the rows: {dataset.rows} of dataset {workload.dataset}, so prompts would repeat"
            )
            yield Fault(("workloads", name, "requests"), message)
        if dataset is not None and not dataset.prompts:
            yield Fault(
                path, f"a {dataset.source} has timestamps but no prompts: name it in a block's traces"
            )


def _names(study: Study) -> Iterator[Fault]:
    for place, block in enumerate(study.blocks):
        for section in ("platforms", "models", "engines", "workloads"):
            for item, name in enumerate(getattr(block, section)):
                path = ("blocks", place, section, item)
                yield from _unknown(name, getattr(study, section), path, section.removesuffix("s"))
        for item, name in enumerate(block.traces):
            path = ("blocks", place, "traces", item)
            yield from _unknown(name, study.datasets, path, "dataset")
            dataset = study.datasets.get(name)
            if dataset is not None and not dataset.timestamped:
                yield Fault(path, f"a {dataset.source} dataset has no timestamps that could be replayed")


def _profiles(study: Study) -> Iterator[Fault]:
    """The faults of the profiled runs alone: the rest of their study is this one's."""
    runs = profiled(study)
    if runs is None:
        return
    groups = {cell.group for block in study.blocks for cell in cells_of(block)}
    for place, block in enumerate(runs.blocks):
        alone = {cell.group for cell in cells_of(block)} - groups
        if alone:
            message = f"no block has cells of {'/'.join(min(alone))}, so no page would show these runs"
            yield Fault(("profiles", "blocks", place), message)
    if study.profiles is not None and study.profiles.profiler == "nsys":
        yield from _unfit_for_nsys(runs)
    for fault in faults_between(runs):
        if fault.path[0] == "blocks":
            yield Fault(("profiles", *fault.path), fault.message)
        elif fault.path[0] == "workloads" and fault.path[-1] == "requests":
            yield Fault(("profiles", "requests"), f"of workload {fault.path[1]}: {fault.message}")


def _unfit_for_nsys(runs: Study) -> Iterator[Fault]:
    found = [cell for block in runs.blocks for cell in cells_of(block) if not _simulated(runs, cell.platform)]
    for name in sorted({cell.platform for cell in found}):
        if name in runs.platforms and runs.platforms[name].kind == "cpu":
            message = f"nsys records GPUs, and vLLM opens no ranges for it on platform {name}, which is a CPU: take torch"
            yield Fault(("profiles", "profiler"), message)
    for name in sorted({cell.engine for cell in found}):
        environment = runs.engines[name].environment if name in runs.engines else None
        if environment in runs.environments and runs.environments[environment].kind == "apptainer":
            message = (
                f"nsys does not see into an Apptainer image, which environment {environment} is: take torch"
            )
            yield Fault(("profiles", "profiler"), message)


def _simulated(study: Study, platform: str) -> bool:
    return platform in study.platforms and study.platforms[platform].simulated


def _unknown(name: str, known: Mapping[str, Any], path: tuple[str | int, ...], what: str) -> Iterator[Fault]:
    if name not in known:
        yield Fault(path, f"no such {what}; {suggestion(name, known)}")


def _combinations(study: Study) -> Iterator[Fault]:
    for place, block in enumerate(study.blocks):
        yield from (Fault(("blocks", place, *path), message) for path, message in _impossible(block, study))


def _impossible(block: Block, study: Study) -> Iterator[tuple[tuple[str | int, ...], str]]:
    platforms = {name: study.platforms[name] for name in block.platforms}
    for item, name in enumerate(block.models):
        for platform in platforms.items():
            yield from ((("models", item), text) for text in _too_many_gpus(study.models[name], platform))
    for item, name in enumerate(block.engines):
        engine = study.engines[name]
        for platform in platforms.items():
            yield from ((("engines", item), text) for text in _no_gpu(engine, platform))
    for item, name in enumerate(block.workloads):
        yield from ((("workloads", item), text) for text in _too_long(study, name, block))
        yield from _too_few_arrivals(block, study, name)


def _too_long(study: Study, workload: str, block: Block) -> Iterator[str]:
    """A line for each length and limit that do not go together, however many models and engines have them."""
    engines: dict[tuple[str, str], dict[str, None]] = {}
    for engine, model in itertools.product(block.engines, block.models):
        sent = longest(study.workloads[workload], study, study.models[model])
        limit = context_tokens(study.engines[engine], study.models[model])
        if limit is not None and sent.tokens > limit[0]:
            length = "of any length" if math.isinf(sent.tokens) else f"up to {sent.tokens:.0f} tokens"
            engines.setdefault((f"{length}{sent.because}", limit[1]), {})[engine] = None
    for (length, limit_text), names in engines.items():
        has = f"engine {next(iter(names))} has" if len(names) == 1 else f"engines {', '.join(names)} have"
        yield f"{length}, but {has} {limit_text}"


def _too_few_arrivals(
    block: Block, study: Study, workload: str
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    needed = study.workloads[workload].requests + 1
    for item, name in enumerate(block.traces):
        dataset = study.datasets[name]
        if dataset.synthetic and dataset.rows < needed:
            message = (
                f"datasets.{name}.rows is {dataset.rows}, but replaying the requests of workload {workload} takes {needed}, "
                "since the gap before the first one counts"
            )
            yield ("traces", item), message


def _too_many_gpus(model: Model, platform: tuple[str, Platform]) -> Iterable[str]:
    name, hardware = platform
    if model.tensor_parallel > max(1, hardware.gpus):
        yield f"tensor_parallel: {model.tensor_parallel} exceeds the {hardware.gpus} GPUs of platform {name}"


def _no_gpu(engine: Engine, platform: tuple[str, Platform]) -> Iterable[str]:
    name, hardware = platform
    if hardware.kind == "cpu" and engine.flash_attn_version is not None:
        yield f"flash_attn_version: {engine.flash_attn_version} needs a GPU, but platform {name} is a CPU"
    if hardware.kind == "cpu" and engine.cuda_graphs not in ("default", "none"):
        yield f"cuda_graphs: {engine.cuda_graphs} needs a GPU, but platform {name} is a CPU: default or none"


def _repetitions(study: Study) -> Iterator[Fault]:
    first: dict[Cell, int] = {}
    for place, block in enumerate(study.blocks):
        again = [cell for cell in cells_of(block) if first.setdefault(cell, place) != place]
        if again:
            others = sorted({first[cell] for cell in again})
            where = " and ".join(f"blocks[{other}]" for other in others)
            more = f" and {len(again) - 1} more" if len(again) > 1 else ""
            yield Fault(("blocks", place), f"{where} already has cell {again[0].id}{more}")
