"""The engine that is asked and the lengths that it is sent, from what the user said."""

from __future__ import annotations

from pathlib import Path

from burstlab.advice.engines import FittedEngine, RooflineEngine
from burstlab.advice.from_cells import fitted_engine, lengths_of, measured_cells
from burstlab.advice.lengths import KNOWN, Lengths, lengths
from burstlab.advice.paths import Asked, setup_of
from burstlab.errors import BurstlabError
from burstlab.simulator.costs.roofline.constants import GPUS
from burstlab.simulator.costs.roofline.models import MODELS

Names = tuple[str | None, str | None, str | None]


def of_constants(asked: Asked, text: str | None) -> tuple[RooflineEngine, Lengths]:
    """By the roofline; BurstlabError where something is missing or not known."""
    for option, value, known in (("--model", asked.model, MODELS), ("--gpu", asked.gpu, GPUS)):
        if not value:
            raise BurstlabError(
                f"{option}: not given; there are {', '.join(known)}. Or --cells FOLDER, with measured cells"
            )
    if text is None:
        raise BurstlabError(f"--lengths: not given. There are: {KNOWN}")
    return RooflineEngine(setup_of(asked)), lengths(text)


def of_cells(
    folder: Path, names: Names, workload: str | None, text: str | None
) -> tuple[FittedEngine, Lengths]:
    """By a fit to measured cells below a folder, of the platform, model and engine in `names` where there are several."""
    cells = measured_cells(folder, names)
    sent = lengths(text) if text is not None else lengths_of(cells, workload)
    return fitted_engine(cells), sent
