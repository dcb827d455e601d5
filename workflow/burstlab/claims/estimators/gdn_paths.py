"""B10: Gated DeltaNet takes the recurrent kernels in decode-only batches, and the chunked ones alone in mixed batches."""

import re
from collections.abc import Iterator

from burstlab.claims.check import Check
from burstlab.claims.evidence import Evidence
from burstlab.claims.kernel_paths import Launched, launched
from burstlab.claims.published import as_published
from burstlab.claims.schema import Claim
from burstlab.iterations.log import DECODE_ONLY, MIXED

RECURRENT, CHUNKED = "gdn-recurrent", "gdn-chunked"


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """Three shares of iterations a group of profiled runs.

    That the chunked kernels pad to 64 tokens is in their code, and unchecked. As published are
    versions of vLLM before 0.`parameters.before_minor` alone: later ones take decodes out of mixed batches.
    """
    for found in launched(evidence):
        if not found.has(RECURRENT, CHUNKED):
            continue
        direct = as_published(claim, found.subject, found.evidence) and _is_before(
            found, claim.parameters["before_minor"]
        )
        for kind, family, words, most in (
            (DECODE_ONLY, RECURRENT, "recurrent kernels", True),
            (MIXED, CHUNKED, "chunked kernels", True),
            (MIXED, RECURRENT, "recurrent kernels", False),
        ):
            check = found.share(claim, kind, family, words, most, direct)
            if check is not None:
                yield check


def _is_before(found: Launched, minor: float) -> bool:
    versions = [re.match(r"0\.(\d+)", one.vllm_version or "") for one in found.conditions]
    return all(version is not None and int(version[1]) < minor for version in versions)
