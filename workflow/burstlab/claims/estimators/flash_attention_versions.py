"""B13: with FlashAttention 3 the decode-only share still rises, but TPOT hardly moves, and TTFT and E2EL get worse."""

from collections.abc import Iterator
from dataclasses import replace

from burstlab.claims.changes import difference, relative
from burstlab.claims.check import Check, falls, near, rises
from burstlab.claims.evidence import Contrast, Evidence
from burstlab.claims.schema import Claim


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """For each pair of engines that differ in the version alone: the fall of TPOT with 2, and the four changes with 3."""
    found = {(contrast.subject, contrast.evidence): contrast for contrast in evidence.contrasts()}
    for (subject, kind), old in found.items():
        for version_2, version_3 in claim.engines:
            new = found.get((replace(subject, engine=version_3), kind))
            if subject.engine == version_2 and new is not None:
                yield from _pair(claim, old, new)


def _pair(claim: Claim, old: Contrast, new: Contrast) -> Iterator[Check]:
    tolerance = claim.tolerance or 0.0
    hardly = near(0.0, tolerance, f"within ±{tolerance:.0%}")
    for check in (
        relative(claim, old, "median_tpot_ms", "median TPOT, version 2", falls()),
        difference(
            claim, new, "decode_only_token_share", "change of the decode-only share, version 3", rises()
        ),
        relative(claim, new, "median_tpot_ms", "median TPOT, version 3", hardly),
        relative(claim, new, "median_ttft_ms", "median TTFT, version 3", rises()),
        relative(claim, new, "median_e2el_ms", "median E2EL, version 3", rises()),
    ):
        if check is not None:
            # Each is of one version, but what is claimed is their difference.
            yield replace(check, confounds=old.confounds(new))
