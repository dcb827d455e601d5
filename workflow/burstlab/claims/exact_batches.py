"""Checks of what exact batches cost; they inform, as no claim is about batches of that make-up."""

import math

from burstlab.claims.check import Check, Region, Subject
from burstlab.claims.kernel_paths import as_published
from burstlab.claims.schema import Claim
from burstlab.exact_batches.effects import Effect


def informing(claim: Claim, effect: Effect, quantity: str, region: Region) -> Check | None:
    """The check of an effect; None of one that has no interval, or was disturbed."""
    if effect.interval is None or effect.disturbed:
        return None
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
        interval=effect.interval,
        region=region,
        subject=subject,
        direct=as_published(claim, subject),
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
