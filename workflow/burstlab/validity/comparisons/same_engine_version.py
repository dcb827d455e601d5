"""Cells that are compared ran on the same version of vLLM.

Reason: versions differ in what they do with a mixed batch: from 0.23.0 decodes of Gated DeltaNet layers are taken out of it
(vLLM pull request 44700), before that the whole batch went through the chunked kernel. Who compares versions does not ask.
"""

from collections.abc import Sequence

from burstlab.records.schema import Gate
from burstlab.validity.conditions import Conditions
from burstlab.validity.outcome import decided, not_judged

NAME = "same-engine-version"


def judge(cells: Sequence[Conditions]) -> Gate:
    """Failed when cells ran on different versions."""
    versions = {one.vllm_version for one in cells} - {None}
    named = f"vLLM {', '.join(sorted(map(str, versions)))}"
    if len(versions) > 1:
        return decided(NAME, False, named)
    if any(one.vllm_version is None for one in cells):
        return not_judged(NAME, "the version of vLLM is not known of every cell")
    return decided(NAME, True, named)
