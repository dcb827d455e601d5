"""Cells that are compared ran on the same version of vLLM, unless versions are what is compared.

Reason: versions differ in what they do with a mixed batch: from 0.23.0 decodes of Gated DeltaNet layers are taken out of it
(vLLM pull request 44700), before that the whole batch went through the chunked kernel.
"""

from collections.abc import Sequence

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "same-engine-version"


def judge(cells: Sequence[Evidence]) -> Gate:
    """Failed when cells of one engine name reported different versions."""
    if len({one.cell.engine for one in cells}) > 1:
        return not_applicable(NAME, "engines are what is compared")
    versions = {one.reported("version") for one in cells}
    if None in versions:
        return not_judged(NAME, "an engine's log names no version")
    return decided(NAME, len(versions) == 1, f"vLLM {', '.join(sorted(map(str, versions)))}")
