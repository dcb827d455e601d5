"""Whether what a check rests on is what the source had."""

from __future__ import annotations

from burstlab.claims.check import Subject
from burstlab.claims.schema import Claim
from burstlab.records.cell_record import SIMULATED
from burstlab.study.simulable import SUFFIX


def as_published(claim: Claim, subject: Subject, evidence: str) -> bool:
    """Whether the platform, model and workload are the source's; what is simulated of a gh200 is on `gh200-simulated`."""
    platform = subject.platform.removesuffix(SUFFIX) if evidence == SIMULATED else subject.platform
    return claim.where is not None and claim.where.holds(platform, subject.model, subject.workload)
