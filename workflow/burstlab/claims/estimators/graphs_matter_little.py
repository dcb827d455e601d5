"""B9: what bursts do to TPOT hardly depends on CUDA graphs."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from burstlab.claims.changes import of_values
from burstlab.claims.check import Check, near
from burstlab.claims.evidence import Contrast, Evidence
from burstlab.claims.schema import Claim
from burstlab.statistics.pairing import paired_values


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """For each pair of engines without and with graphs: the difference between their log changes of median TPOT.

    Not on a CPU, where such engines differ in compilation alone.
    """
    found = {(contrast.subject, contrast.evidence): contrast for contrast in evidence.contrasts()}
    for (subject, kind), eager in found.items():
        for without, with_graphs in claim.engines:
            graphs = found.get((replace(subject, engine=with_graphs), kind))
            if subject.engine == without and graphs is not None and _may_have_graphs(eager):
                check = _difference(claim, eager, graphs)
                if check is not None:
                    yield check


def _may_have_graphs(contrast: Contrast) -> bool:
    return any(one.on_gpu is not False for one in contrast.conditions)


def _difference(claim: Claim, eager: Contrast, graphs: Contrast) -> Check | None:
    plain, captured = paired_values(_log_changes(eager), _log_changes(graphs))
    tolerance = claim.tolerance or 0.0
    engines = f"{eager.subject.engine} against {graphs.subject.engine}"
    check = of_values(
        claim,
        graphs,
        "log change of median TPOT with graphs less that without",
        captured - plain,
        near(0.0, tolerance, f"within ±{tolerance:g}"),
        note=engines,
    )
    return None if check is None else replace(check, confounds=eager.confounds(graphs))


def _log_changes(contrast: Contrast) -> dict[int, float]:
    before, after = contrast.steady("median_tpot_ms"), contrast.bursty("median_tpot_ms")
    return {seed: float(np.log(after[seed] / before[seed])) for seed in before.keys() & after.keys()}
