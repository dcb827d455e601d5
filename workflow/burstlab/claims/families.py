"""Which changes from the steadiest to the burstiest arrivals are corrected together: once, wherever they are spoken of.

A change of one metric in one group has one p-value, and one adjusted p-value, whichever claim or sentence speaks of it
(docs/validity.md, "One correction").
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from burstlab.claims.alike import SIMULATED, alike
from burstlab.claims.check import Check, Subject
from burstlab.claims.evidence import Contrast
from burstlab.statistics.multiple import benjamini_hochberg
from burstlab.statistics.pairing import LEAST_PAIRS, paired_values
from burstlab.statistics.relative_change import log_ratios
from burstlab.statistics.student import mean_p_value

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "TPOT and E2EL": (
        "median_tpot_ms",
        "p90_tpot_ms",
        "mean_e2el_ms",
        "median_e2el_ms",
        "p90_e2el_ms",
    ),
    "TTFT": ("mean_ttft_ms", "median_ttft_ms"),
    "decode-only share": ("decode_only_token_share",),
    "mixed batches": ("mean_mixed_tokens", "mixed_context_share", "mean_mixed_ms"),
}
"""Name → columns of the table of cells. A family has these of all groups of one platform and evidence."""

Key = tuple[Subject, str, str]
"""The group, the evidence and the column."""


@dataclass(frozen=True, slots=True)
class Correction:
    """The p-value of "no change" after Benjamini-Hochberg, and over how many comparisons."""

    adjusted_p: float
    comparisons: int


def corrections(contrasts: Iterable[Contrast]) -> dict[Key, Correction]:
    """The corrections of all changes in these contrasts, which must be all of the study's; of fewer than `LEAST_PAIRS` none.

    Simulated ones that are one (`claims/alike.py`) are one comparison, and have one correction.
    """
    families: defaultdict[tuple[str, str, str], dict[Key, float]] = defaultdict(dict)
    contrasts = list(contrasts)
    same = alike(contrasts)
    for contrast in contrasts:
        if same.get(contrast.subject, contrast.subject) != contrast.subject:
            continue
        for name, columns in FAMILIES.items():
            family = families[name, contrast.subject.platform, contrast.evidence]
            for column in columns:
                p_value = _p_value(contrast, column)
                if p_value is not None:
                    family[contrast.subject, contrast.evidence, column] = p_value
    found = {
        key: Correction(adjusted_p, len(family))
        for family in families.values()
        for key, adjusted_p in zip(family, benjamini_hochberg(list(family.values())), strict=True)
    }
    named = [column for some in FAMILIES.values() for column in some]
    repeated = {
        (subject, SIMULATED, column): found[first, SIMULATED, column]
        for subject, first in same.items()
        for column in named
        if (first, SIMULATED, column) in found
    }
    return found | repeated


def corrected(check: Check, found: Mapping[Key, Correction]) -> Check:
    """The check of a direction with its metric's correction; any other as it is."""
    correction = found.get((check.subject, check.evidence, check.metric))
    if correction is None or check.p_value is None:
        return check
    return replace(check, adjusted_p=correction.adjusted_p, comparisons=correction.comparisons)


def _p_value(contrast: Contrast, column: str) -> float | None:
    if column not in contrast.cells:
        return None
    values = _values(contrast, column)
    return mean_p_value(values) if len(values) >= LEAST_PAIRS else None


def _values(contrast: Contrast, column: str) -> np.ndarray:
    """One value a pair of seeds: differences of shares, log ratios of all else, as `claims/changes.py` takes them."""
    before, after = contrast.steady(column), contrast.bursty(column)
    if not column.endswith("_share"):
        return log_ratios(before, after)
    old, new = paired_values(before, after)
    change: np.ndarray = new - old
    return change
