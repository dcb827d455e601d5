"""Checks of a change from the steadiest to the burstiest arrivals; estimators are made of these."""

from dataclasses import replace

import numpy as np

from burstlab.claims.check import Check, Region
from burstlab.claims.evidence import BySeed, Contrast
from burstlab.claims.published import as_published
from burstlab.claims.schema import Claim
from burstlab.statistics.pairing import paired_values
from burstlab.statistics.relative_change import change_p_value, relative_change
from burstlab.statistics.student import mean_interval, mean_p_value
from burstlab.study.simulated import PREFIX


def relative(
    claim: Claim,
    contrast: Contrast,
    column: str,
    label: str,
    region: Region,
    headline: bool = True,
    kinds: bool = False,
) -> Check | None:
    """The relative change of a column of the cells table; None below two shared seeds.

    `kinds` says that what is claimed of it compares kinds of iteration.
    """
    before, after = contrast.steady(column), contrast.bursty(column)
    found = relative_change(before, after)
    if found is None:
        return None
    return Check(
        quantity=f"relative change of {label}",
        unit="",
        evidence=contrast.evidence,
        interval=found,
        region=region,
        subject=contrast.subject,
        direct=is_direct(claim, contrast),
        headline=headline,
        p_value=change_p_value(before, after) if _is_direction(region) else None,
        note=_levels(before, after),
        confounds=contrast.confounds(kinds=kinds),
        metric=column,
    )


def difference(
    claim: Claim, contrast: Contrast, column: str, label: str, region: Region, headline: bool = True
) -> Check | None:
    """The change of a share between 0 and 1, as a difference; None below two shared seeds."""
    before, after = contrast.steady(column), contrast.bursty(column)
    check = of_values(
        claim, contrast, label, _differences(before, after), region, headline, _levels(before, after)
    )
    return None if check is None else replace(check, metric=column)


def of_values(
    claim: Claim,
    contrast: Contrast,
    label: str,
    values: np.ndarray,
    region: Region,
    headline: bool = True,
    note: str = "",
    unit: str = "",
    kinds: bool = False,
) -> Check | None:
    """The mean of one value a seed; None below two seeds. `kinds` as above."""
    values = values[np.isfinite(values)]
    found = mean_interval(values)
    if found is None:
        return None
    return Check(
        quantity=label,
        unit=unit,
        evidence=contrast.evidence,
        interval=found,
        region=region,
        subject=contrast.subject,
        direct=is_direct(claim, contrast),
        headline=headline,
        p_value=mean_p_value(values) if _is_direction(region) else None,
        note=note,
        confounds=contrast.confounds(kinds=kinds),
    )


def is_direct(claim: Claim, contrast: Contrast) -> bool:
    """Whether a contrast is as published."""
    return (
        claim.where is not None
        and as_published(claim, contrast.subject, contrast.evidence)
        and claim.where.between(contrast.steady_b, contrast.bursty_b)
    )


def sizes_count(claim: Claim, contrast: Contrast) -> bool:
    """Whether a size is held against the published one: the contrast is as published, if the stand-in for a data set that may
    have been sent is taken for it. With a stand-in it is not direct, so that the verdict is on different conditions."""
    subject = contrast.subject
    meant = replace(subject, workload=subject.workload.removeprefix(PREFIX))
    return is_direct(claim, replace(contrast, subject=meant))


def _is_direction(region: Region) -> bool:
    return (region.low == 0) != (region.high == 0) and not np.isfinite(region.low + region.high)


def _differences(before: BySeed, after: BySeed) -> np.ndarray:
    old, new = paired_values(before, after)
    change: np.ndarray = new - old
    return change


def _levels(before: BySeed, after: BySeed) -> str:
    old, new = paired_values(before, after)
    return f"means {old.mean():.4g} and {new.mean():.4g}" if len(old) else ""
