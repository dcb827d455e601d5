"""B8: attention costs more in mixed iterations than in decode-only ones, for each decode token and for each iteration."""

import math
from collections.abc import Iterator

from burstlab.claims.check import Check, Region, Subject, near, rises
from burstlab.claims.evidence import Evidence
from burstlab.claims.exact_batches import informing
from burstlab.claims.published import as_published
from burstlab.claims.schema import Claim
from burstlab.exact_batches.effects import TOGETHER
from burstlab.figures.profiled_runs import index_of
from burstlab.validity.compare import confounds, judge_arms
from burstlab.validity.conditions import distinct
from burstlab.wording import count

PART = "attention"
QUANTITIES = {
    "token": "attention a decode token, mixed over decode-only",
    "iteration": "attention an iteration, mixed over decode-only",
}
EXACT = {
    part: f"relative change of decodes' {words} beside a prompt, less its own, in exact batches"
    for part, words in ((PART, "attention"), ("forward", "forward pass"))
}
_GROUP = ["per", "platform", "model", "engine", "workload", "rate", "burstiness", "evidence"]


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """Both ratios for each group, rate and burstiness of profiled runs under gamma arrivals.

    Elsewhere than at the source the claim is that they are above 1. They hold the prompts' own attention, as the source's
    do, so a ratio above 1 is not by itself the artifact. Kernel times do not hold what launching takes, so that both kinds
    of iteration may run in different CUDA graphs confounds nothing here. What exact batches cost beyond the prompt's own work
    only informs.
    """
    yield from informing(claim, evidence, TOGETHER, EXACT, rises())
    rows = evidence.interference
    chosen = rows[(rows["part"] == PART) & rows["index"].notna() & rows["burstiness"].notna()]
    for values, runs in chosen.groupby(_GROUP, sort=True):
        per, platform, model, engine, workload, rate, burstiness, kind = map(str, values)
        found = index_of(runs)
        if found is None:
            continue
        setting = f"b={float(burstiness):g}"
        subject = Subject(platform, model, engine, workload, float(rate), setting)
        direct = as_published(claim, subject, kind)
        yield Check(
            quantity=QUANTITIES[per],
            unit="times",
            evidence=kind,
            interval=found,
            region=_size(claim, per) if direct else Region("above 1", 1.0, math.inf),
            subject=subject,
            direct=direct,
            note=count(len(runs), "profiled run"),
            confounds=confounds(judge_arms(distinct(runs))),
        )


def _size(claim: Claim, per: str) -> Region:
    tolerance = 1 + (claim.tolerance or 0.0)
    if per == "token":
        most = claim.value("attention a decode token, mixed over decode-only, at most").value
        return Region(f"above 1 and at most {most:g} (+{tolerance - 1:.0%})", 1.0, most * tolerance)
    about = claim.value(QUANTITIES[per]).value
    return near(about, about * (tolerance - 1))
