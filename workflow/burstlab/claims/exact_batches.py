"""Checks of what exact batches cost; they inform, as no claim is about batches of that make-up."""

import math
from collections.abc import Iterator, Mapping

from burstlab.claims.check import Check, Region, Subject
from burstlab.claims.evidence import Evidence
from burstlab.claims.published import as_published
from burstlab.claims.schema import Claim
from burstlab.exact_batches.effects import Effect, effects
from burstlab.statistics.interval import Interval


def informing(
    claim: Claim, evidence: Evidence, comparison: str, quantities: Mapping[str, str], region: Region
) -> Iterator[Check]:
    """The checks of one comparison of `effects.py`, of the parts that have a quantity's name.

    None of what has no interval or was disturbed, nor where there are no exact batches.
    """
    table = evidence.exact_batches
    for effect in () if table is None else effects(table):
        if effect.name != comparison or effect.part not in quantities:
            continue
        if effect.interval is not None and not effect.disturbed:
            yield _check(claim, effect, effect.interval, quantities[effect.part], region)


def _check(claim: Claim, effect: Effect, interval: Interval, quantity: str, region: Region) -> Check:
    said = effect.keys
    decodes, context, chunk = (said[name] for name in ("decodes", "context_tokens", "chunk_tokens"))
    subject = Subject(
        str(said["platform"]),
        str(said["model"]),
        str(said["engine"]),
        setting=f"{decodes} decodes of {context} tokens beside {chunk} of a prompt",
    )
    return Check(
        quantity=quantity,
        unit="",
        evidence=str(said["evidence"]),
        interval=interval,
        region=region,
        subject=subject,
        direct=as_published(claim, subject, str(said["evidence"])),
        headline=False,
        note=f"{effect.decode_ms:.3g} ms alone; {_how(effect)}",
    )


def _how(effect: Effect) -> str:
    said = effect.keys
    if said["evidence"] == "simulated":
        return f"by the costs of {said['by']}"
    others = float(str(said["others_share"]))
    known = "" if math.isnan(others) else f"; other programs used {others:.0%} of the cores"
    return f"timed with {said['by']}{known}"
