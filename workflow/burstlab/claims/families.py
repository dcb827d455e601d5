"""Which changes from the steadiest to the burstiest arrivals are corrected together: once, wherever they are spoken of.

A change of one metric in one group has one p-value, and one adjusted p-value, whichever claim or sentence speaks of it
(docs/validity.md, "One correction").
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from burstlab.claims.alike import Alike, first_of
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
"""Name → columns of the table of cells. A family has these of all groups of one platform and evidence, simulations that are one
once."""

Key = tuple[Subject, str, str]
"""The group, the evidence and the column."""


@dataclass(frozen=True, slots=True)
class Correction:
    """The p-value of "no change" after Benjamini-Hochberg, and over how many comparisons."""

    adjusted_p: float
    comparisons: int


def corrections(contrasts: Iterable[Contrast], same: Alike) -> dict[Key, Correction]:
    """The corrections of all changes in these contrasts, which must be all of the study's; of fewer than `LEAST_PAIRS` none.

    `same` is `alike` of them: simulations that are one are one comparison, and its correction is that of them all.
    """
    families: defaultdict[tuple[str, str, str], dict[Key, float]] = defaultdict(dict)
    repeated: list[tuple[Contrast, Subject]] = []
    for contrast in contrasts:
        first = first_of(contrast, same)
        if first != contrast.subject:
            repeated.append((contrast, first))
            continue
        for name, columns in FAMILIES.items():
            family = families[name, contrast.subject.platform, contrast.evidence]
            family.update(_p_values(contrast, columns))
    found = {
        key: Correction(adjusted_p, len(family))
        for family in families.values()
        for key, adjusted_p in zip(family, benjamini_hochberg(list(family.values())), strict=True)
    }
    for contrast, first in repeated:
        found |= _copied(found, first, contrast)
    return found


def _p_values(contrast: Contrast, columns: Iterable[str]) -> Iterator[tuple[Key, float]]:
    for column in columns:
        p_value = _p_value(contrast, column)
        if p_value is not None:
            yield (contrast.subject, contrast.evidence, column), p_value


def _copied(found: Mapping[Key, Correction], first: Subject, contrast: Contrast) -> dict[Key, Correction]:
    """The corrections of the comparison of `first` as those of another of the same evidence."""
    evidence = contrast.evidence
    return {
        (contrast.subject, evidence, column): found[first, evidence, column]
        for columns in FAMILIES.values()
        for column in columns
        if (first, evidence, column) in found
    }


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
