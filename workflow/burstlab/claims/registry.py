"""Estimators by name."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Protocol, cast

from burstlab.claims import estimators
from burstlab.claims.check import Check
from burstlab.claims.evidence import Evidence
from burstlab.claims.schema import Claim


class Estimator(Protocol):
    """The function `estimate` of a module of `claims/estimators/`."""

    def __call__(self, claim: Claim, evidence: Evidence, /) -> Iterator[Check]:
        """Checks of the claim on the counted cells; none where the study has nothing that bears on it."""
        ...


def estimator_names() -> list[str]:
    """The names of all estimators: the modules of `claims/estimators/`."""
    return sorted(module.name for module in pkgutil.iter_modules(estimators.__path__))


def estimator(name: str) -> Estimator:
    """The estimator of this name."""
    module = importlib.import_module(f"{estimators.__name__}.{name}")
    return cast(Estimator, module.estimate)
