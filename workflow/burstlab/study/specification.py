"""What determines a measurement, and nothing else: the record of a cell is valid for one specification only.

Names (of models, engines, workloads, blocks) are left out, for they are the path of the cell and determine
nothing; what they stand for is in, by content where it can be seen (`study.unseen`). The platform's name is in: it is
all that the configuration says of a CPU. Keys that are not set are left out too, so that a key added to the schema
later makes no cell stale. docs/architecture.md says what does not identify a measurement.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from burstlab.datasets.recipe import FOLDER, VERSIONS, folder_name, recipe_of
from burstlab.errors import BurstlabError
from burstlab.files import sha256_of
from burstlab.simulator.setup import PROFILE_PROTOCOL, Setup
from burstlab.simulator.setup import PROTOCOL as SIMULATOR_PROTOCOL
from burstlab.study.cells import Cell
from burstlab.study.profiled import OF_RECORDING, ProfiledEngine
from burstlab.study.scheduler_code import scheduler_sha256
from burstlab.study.schema import RANDOM, Dataset, Engine, Environment, Model, Section, Study
from burstlab.study.simulable import setup_of
from burstlab.study.unseen import identified, specification_sha256

__all__ = ["specification", "specification_sha256", "specifications"]

# Raise it when cells are measured in another way (other client flags, another warm-up, another default of a
# key), so that all cells are measured again.
PROTOCOL = 3


def specification(cell: Cell, study: Study) -> dict[str, Any]:
    """All that determines the measurement of `cell`, ready for JSON.

    Cells of a group share the inner parts, so do not change them.
    Raises BurstlabError if a file that is a part of it, such as an environment's lock, cannot be read.
    """
    shared = study.remembered(cell.group)
    if not shared:
        shared.update(_shared(cell, study))
    return {
        **shared,
        "rate": _number(cell.rate),
        "arrivals": _arrivals(cell, study),
        "seed": cell.seed,
    }


def specifications(cells: Iterable[Cell], study: Study) -> dict[Cell, dict[str, Any]]:
    """The specification of each cell; ten thousand take a fraction of a second."""
    return {cell: specification(cell, study) for cell in cells}


def _shared(cell: Cell, study: Study) -> dict[str, Any]:
    engine = study.engines[cell.engine]
    model = study.models[cell.model]
    workload = study.workloads[cell.workload]
    platform = _set_keys(study.platforms[cell.platform], without={"max_cells_per_session", "slurm"})
    sent = _set_keys(workload, without={"dataset"}) | {"dataset": _dataset(workload.dataset, study)}
    if study.platforms[cell.platform].simulated:
        setup = setup_of(study, cell.platform, cell.model, cell.engine)
        profile = {"profile": PROFILE_PROTOCOL} if isinstance(engine, ProfiledEngine) else {}
        return {
            "simulator": simulator_of(setup) | profile,
            "platform": {"name": cell.platform, **platform},
            "model": {"name": setup.model, "tensor_parallel": model.tensor_parallel},
            "engine": _set_keys(engine, without={"environment", *OF_RECORDING}),
            "workload": sent,
        }
    weights = study.remembered(("model", cell.model))  # read only once
    if not weights:
        weights.update(_model(model, study))
    return {
        "protocol": PROTOCOL,
        "platform": {"name": cell.platform, **platform},
        "model": weights | {"dtype": engine.dtype_for(model), "tensor_parallel": model.tensor_parallel},
        "environment": _environment(study.environments[engine.environment], study),
        "engine": _engine(engine, study),
        "workload": sent,
    }


def simulator_of(setup: Setup) -> dict[str, Any]:
    """What stands in place of an environment where a cell is simulated; `constants_sha256` is of all that costs rest on."""
    return {
        "protocol": SIMULATOR_PROTOCOL,
        "costs": "roofline",
        "setup": setup.as_values(),
        "constants_sha256": setup.constants_sha256(),
    }


def _model(model: Model, study: Study) -> dict[str, Any]:
    if model.build is not None:
        from burstlab.models.recipes import RECIPES  # only now: it is not cheap to import

        return {"build": RECIPES[model.build]}
    from burstlab.models.content import folder_sha256, hub_commit

    origin = _set_keys(model, without={"dtype", "tensor_parallel"})
    if model.path is not None:
        return {"weights": identified(folder_sha256(study.root / Path(model.path).expanduser()), origin)}
    return {"weights": identified(hub_commit(model.hub or "", model.revision), origin)}


def _engine(engine: Engine, study: Study) -> dict[str, Any]:
    keys = _set_keys(engine, without={"environment", "dtype", "keep_trace"})
    if engine.scheduler == "default":
        return keys
    code = identified(scheduler_sha256(engine.scheduler, study.root), {"class": engine.scheduler})
    return {**keys, "scheduler_code": code}


def _environment(environment: Environment, study: Study) -> dict[str, Any]:
    if environment.lock is None:
        return _set_keys(environment, without=set())
    return {"lock_sha256": _sha256_of(study.root / environment.lock, "environment")}


def _sha256_of(path: Path, what: str) -> str:
    try:
        return sha256_of(path)
    except OSError as error:
        raise BurstlabError(f"{what}: cannot read {path}: {error.strerror}") from error


def _dataset(name: str, study: Study) -> dict[str, Any]:
    shared = study.remembered(("dataset", name))  # files are read only once
    if not shared:
        shared.update(_identified_dataset(name, study))
    return shared


def _identified_dataset(name: str, study: Study) -> dict[str, Any]:
    if name == RANDOM:
        return {"source": RANDOM}
    dataset: Dataset = study.datasets[name]
    if dataset.synthetic:
        return recipe_of(dataset)
    origin = dataset.model_dump(mode="json", include={"url", "path"}, exclude_none=True)
    limit = dataset.max_total_tokens
    return {
        "source": dataset.source,
        "version": VERSIONS[dataset.source],
        **({} if limit is None else {"max_total_tokens": limit}),
        "file": identified(_content(name, dataset, study), origin),
    }


def _content(name: str, dataset: Dataset, study: Study) -> str | None:
    if dataset.sha256 is not None:
        return dataset.sha256
    if dataset.path is not None:
        return _sha256_of(study.root / dataset.path, f"dataset {name}")
    try:
        record = json.loads((study.root / FOLDER / folder_name(name, dataset) / "dataset.json").read_bytes())
        return str(record["source_file"]["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not downloaded yet


def _arrivals(cell: Cell, study: Study) -> dict[str, Any]:
    arrivals = cell.arrivals
    if arrivals.trace is not None:
        return {"kind": arrivals.kind, "dataset": _dataset(arrivals.trace, study)}
    return {"kind": arrivals.kind, "burstiness": _number(arrivals.burstiness or 0.0)}


def _set_keys(section: Section, without: set[str]) -> dict[str, Any]:
    return section.model_dump(mode="json", exclude_none=True, exclude=without)


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else "inf"  # JSON has no infinity
