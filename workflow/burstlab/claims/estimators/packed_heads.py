"""B11 and B12: in which batches FlashAttention packs the query heads of a group."""

from collections.abc import Iterator

from burstlab.claims.check import Check
from burstlab.claims.evidence import Evidence
from burstlab.claims.kernel_paths import launched
from burstlab.claims.published import as_published
from burstlab.claims.schema import Claim
from burstlab.iterations.log import DECODE_ONLY, MIXED


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """Shares of iterations with packed and with unpacked launches of version `parameters.version`, a group of profiled runs.

    Version 2 is claimed to pack in decode-only iterations alone, later ones in both kinds. What that does to the memory
    traffic is in no trace without the GPU's counters, and unchecked.
    """
    version = round(claim.parameters["version"])
    packed, unpacked = f"fa{version}-packed", f"fa{version}-unpacked"
    for found in launched(evidence):
        if not found.has(packed, unpacked):
            continue
        for kind in (DECODE_ONLY, MIXED):
            packs = kind == DECODE_ONLY or version > 2
            for family, words in ((packed, "packed launches"), (unpacked, "unpacked launches")):
                most = (family == packed) is packs
                check = found.share(
                    claim, kind, family, words, most, as_published(claim, found.subject, found.evidence)
                )
                if check is not None:
                    yield check
