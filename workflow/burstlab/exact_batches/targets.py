"""Which engines have exact batches timed, and the file of each.

A file is named after what was asked for, so that another question is another file: no time stamp makes one be timed again, and
none is missed that has to be.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path, PurePath

from burstlab.exact_batches.shapes import PADDED_TOKENS, shapes_for
from burstlab.files import sha256_of, write_if_new
from burstlab.models.recipes import recipe_sha256
from burstlab.simulator.setup import PROTOCOL as SIMULATOR_PROTOCOL
from burstlab.study.cells import Cell, Session
from burstlab.study.expand import cells
from burstlab.study.profiled import profiled
from burstlab.study.schema import Engine, Study
from burstlab.study.simulable import setup_of

FOLDER = "results/profiles/exact_batches"
KINDS = ("cpu", "cuda")
# Raise it when batches are timed in another way, so that all are timed again.
PROTOCOL = 2


ENGINE = ("platform", "model", "engine")
"""What an engine is called by, in this order, in the files' paths and in them."""


def engines_timed(study: Study, runs: Iterable[Cell]) -> list[Session]:
    """The engines of the study's profiled runs that really run, each as a session without cells."""
    engines = sorted({(run.platform, run.model, run.engine) for run in runs})
    return [Session(*names, 0, ()) for names in engines if study.platforms[names[0]].kind in KINDS]


def engines_simulated(study: Study, predicted: Iterable[Cell]) -> list[Session]:
    """The simulated engines of some of the study's cells, in the same way."""
    engines = sorted({(cell.platform, cell.model, cell.engine) for cell in predicted})
    return [Session(*names, 0, ()) for names in engines if study.platforms[names[0]].simulated]


def times_file(study: Study, session: Session) -> str:
    """The file with the times of one engine."""
    digest = hashlib.sha256(json.dumps(_asked(study, session), sort_keys=True).encode()).hexdigest()
    return f"{FOLDER}/{session.platform}/{session.model}/{session.engine}-{digest[:12]}.json"


def engine_of(file: PurePath) -> str:
    """Of which engine a file has the times, as `<platform>/<model>/<engine>`."""
    return "/".join((*file.parts[-3:-1], file.name.rpartition("-")[0]))


def untimed(study: Study, runs: Iterable[Cell]) -> list[Session]:
    """The engines whose file is not there."""
    return [
        session for session in engines_timed(study, runs) if not Path(times_file(study, session)).is_file()
    ]


def files_of(study: Study, runs: Iterable[Cell], platform: str) -> list[str]:
    """The files of the engines of one platform."""
    return [
        times_file(study, session) for session in engines_timed(study, runs) if session.platform == platform
    ]


def to_show(study: Study, runs: Iterable[Cell], predicted: Iterable[Cell] = ()) -> list[str]:
    """The files of all engines of profiled runs and simulated cells; of a study that measures nothing, those that are there."""
    engines = [*engines_timed(study, runs), *engines_simulated(study, predicted)]
    files = [times_file(study, session) for session in engines]
    return [file for file in files if study.mode != "cached" or Path(file).is_file()]


def asked_for(own: Iterable[str], collected: Iterable[str], folder: Path) -> str:
    """A file, made here, that lists the files to show, and is newer than a table of any others.

    Without its metadata Snakemake would not miss a file that the table, being there, seems not to need, nor see that a
    collection's is another one now but has an old time stamp.
    """
    lines = [*own, *(f"{path} {sha256_of(Path(path))}" for path in collected)]
    return write_if_new(folder / "asked.txt", "\n".join(sorted(lines)) + "\n")


def kept(study: Study) -> list[Path]:
    """The files of the study's engines that are there; they need not be, as vLLM may fail at some."""
    of_runs = profiled(study)
    runs = () if of_runs is None else cells(of_runs)
    engines = [*engines_timed(study, runs), *engines_simulated(study, cells(study))]
    files = [study.root / times_file(study, session) for session in engines]
    return [file for file in files if file.is_file()]


def _asked(study: Study, session: Session) -> dict[str, object]:
    platform, model = study.platforms[session.platform], study.models[session.model]
    engine = study.engines[session.engine]
    if platform.simulated:
        setup = setup_of(study, session.platform, session.model, session.engine)
        return {
            **_batches(platform.kind, engine),
            "setup": setup.as_values(),
            "simulator": SIMULATOR_PROTOCOL,
            "constants": setup.constants_sha256(),
        }
    environment = study.environments[engine.environment]
    lock = None if environment.lock is None else study.root / environment.lock
    return {
        **_batches(platform.kind, engine),
        "padded_tokens": PADDED_TOKENS,
        "model": model.model_dump(mode="json", exclude_unset=True),
        "recipe": None if model.build is None else recipe_sha256(model.build),
        "engine": engine.model_dump(mode="json", exclude_unset=True),
        "environment": environment.model_dump(mode="json", exclude_unset=True, exclude={"lock"}),
        "lock": sha256_of(lock) if lock is not None and lock.is_file() else None,
    }


def _batches(kind: str, engine: Engine) -> dict[str, object]:
    return {
        "protocol": PROTOCOL,
        "kind": kind,
        "shapes": [asdict(shape) for shape in shapes_for(kind, engine)],
    }
