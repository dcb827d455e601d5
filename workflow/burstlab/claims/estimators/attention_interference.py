"""B8: attention costs more in mixed iterations than in decode-only ones, for each decode token and for each iteration."""

import math
from collections.abc import Iterator

import pandas as pd

from burstlab.claims.check import Check, Region, Subject, near, rises
from burstlab.claims.evidence import Evidence
from burstlab.claims.kernel_paths import as_published
from burstlab.claims.schema import Claim
from burstlab.exact_batches.effects import TOGETHER, effects
from burstlab.statistics.interval import Interval
from burstlab.statistics.level import level_interval
from burstlab.validity.compare import confounds, judge_arms
from burstlab.validity.conditions import distinct
from burstlab.wording import count

PART = "attention"
QUANTITIES = {
    "token": "attention a decode token, mixed over decode-only",
    "iteration": "attention an iteration, mixed over decode-only",
}
EXACT = {PART: "attention", "forward": "forward pass"}
_GROUP = ["per", "platform", "model", "engine", "workload", "rate", "burstiness", "evidence"]


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """Both ratios for each group, rate and burstiness of profiled runs under gamma arrivals.

    Elsewhere than at the source the claim is that they are above 1. They hold the prompts' own attention, as the source's
    do, so a ratio above 1 is not by itself the artifact. Kernel times do not hold what launching takes, so that both kinds
    of iteration may run in different CUDA graphs confounds nothing here. Of one run the interval is that of its blocks of
    iterations, of several that over the runs. What exact batches cost beyond the prompt's own work only informs.
    """
    yield from _of_exact_batches(claim, evidence)
    rows = evidence.interference
    chosen = rows[(rows["part"] == PART) & rows["index"].notna() & rows["burstiness"].notna()]
    for values, runs in chosen.groupby(_GROUP, sort=True):
        per, platform, model, engine, workload, rate, burstiness, kind = map(str, values)
        found = _interval(runs)
        if found is None:
            continue
        setting = f"b={float(burstiness):g}"
        subject = Subject(platform, model, engine, workload, float(rate), setting)
        direct = as_published(claim, subject)
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


def _of_exact_batches(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    if evidence.exact_batches is None:
        return
    for effect in effects(evidence.exact_batches):
        if effect.name != TOGETHER or effect.interval is None or effect.part not in (PART, "forward"):
            continue
        said = effect.keys
        decodes, context, chunk = (said[name] for name in ("decodes", "context_tokens", "chunk_tokens"))
        subject = Subject(
            str(said["platform"]),
            str(said["model"]),
            str(said["engine"]),
            setting=f"{decodes} decodes of {context} tokens beside {chunk} of a prompt",
        )
        yield Check(
            quantity=f"relative change of decodes' {EXACT[effect.part]} beside a prompt, less its own, in exact batches",
            unit="",
            evidence=str(said["evidence"]),
            interval=effect.interval,
            region=rises(),
            subject=subject,
            direct=as_published(claim, subject),
            headline=False,
            note=f"{effect.decode_ms:.3g} ms alone; timed with {said['by']}",
        )


def _size(claim: Claim, per: str) -> Region:
    tolerance = 1 + (claim.tolerance or 0.0)
    if per == "token":
        most = claim.value("attention a decode token, mixed over decode-only, at most").value
        return Region(f"above 1 and at most {most:g} (+{tolerance - 1:.0%})", 1.0, most * tolerance)
    about = claim.value(QUANTITIES[per]).value
    return near(about, about * (tolerance - 1))


def _interval(runs: pd.DataFrame) -> Interval | None:
    if len(runs) > 1:
        return level_interval(runs["index"].to_numpy(float))
    one = runs.iloc[0]
    method = "jackknife over blocks of iterations of one run"
    return Interval(float(one["index"]), float(one["low"]), float(one["high"]), int(one["blocks"]), method)
