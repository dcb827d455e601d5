"""Rows of the table of errors."""

from typing import Any

from burstlab.simulator.validation.goals import COMPARED
from burstlab.simulator.validation.split import SEEDS


def row(
    number: int, metric: str, error: float, *, load: float | None = 0.5, split: str = SEEDS
) -> dict[str, Any]:
    compared = next(one for one in COMPARED if one.metric == metric)
    measured = 0.5 if compared.share else 100.0
    simulated = measured + error if compared.share else measured * (1 + error)
    within = None if compared.goal is None or load is None else abs(error) <= compared.goal
    return {
        "cell": f"cpu/tiny/eager/chat/rate-10/burst-1/seed-{number}",
        "platform": "cpu",
        "model": "tiny",
        "engine": "eager",
        "workload": "chat",
        "rate": 10.0,
        "arrivals": "gamma",
        "burstiness": 1.0,
        "cv": 1.0,
        "seed": number,
        "load": load,
        "evidence": "simulated",
        "held_against": "measured",
        "split": split,
        "fitted_on": "others",
        "fitted_cells": 4,
        "metric": metric,
        "unit": "" if compared.share else "ms",
        "measured": measured,
        "simulated": simulated,
        "error": error,
        "goal": compared.goal,
        "within_goal": within,
        "own_speed": 1.1,
        "error_at_own_speed": error / 2,
    }
