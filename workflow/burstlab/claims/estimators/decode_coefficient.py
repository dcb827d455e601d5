"""B17: a linear fit of iteration time weighs a decode token more than a prefill token, and fits poorly."""

import math
from collections.abc import Iterator

import numpy as np

from burstlab.claims.changes import of_values
from burstlab.claims.check import Check, Region, rises
from burstlab.claims.evidence import Contrast, Evidence
from burstlab.claims.schema import Claim
from burstlab.figures.linear_fit import fit


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """A fit a seed, over the iterations at all its burstinesses: the coefficients' difference, and the share of variance."""
    poor = claim.parameters["poor"]
    for contrast in evidence.contrasts():
        fits = _fits(contrast, evidence)
        for check in (
            of_values(
                claim,
                contrast,
                "time of a decode token less that of a prefill token",
                fits[:, 0] - fits[:, 1],
                rises(),
                note=f"means {fits[:, 0].mean():.3g} and {fits[:, 1].mean():.3g} ms a token"
                if len(fits)
                else "",
                unit="ms",
                kinds=True,
            ),
            of_values(
                claim,
                contrast,
                "share of variance that the fit explains",
                fits[:, 2],
                Region(f"at most {poor:g}", -math.inf, poor),
                kinds=True,
            ),
        ):
            if check is not None:
                yield check


def _fits(contrast: Contrast, evidence: Evidence) -> np.ndarray:
    """Decode coefficient, prefill coefficient and R² of each seed, shape (seeds, 3)."""
    columns = ["elapsed_ms", "generation_tokens", "context_tokens"]
    rows = evidence.iterations(contrast.cells, columns)
    seeds = contrast.cells.set_index("cell")["seed"]
    found = [fit(some, bounds=False) for _, some in rows.groupby(rows["cell"].map(seeds), sort=True)]
    values = [(one.coefficients[1], one.coefficients[2], one.r_squared) for one in found if one is not None]
    return np.array(values).reshape(-1, 3)
