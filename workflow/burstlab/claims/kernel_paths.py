"""Checks of which kernels ran in decode-only and in mixed iterations of profiled runs; those of mechanisms are made of these."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from burstlab.claims.check import Check, Region, Subject
from burstlab.claims.evidence import Evidence
from burstlab.claims.schema import Claim
from burstlab.statistics.proportion import proportion_interval
from burstlab.validity.compare import confounds, judge_arms
from burstlab.validity.conditions import Conditions, distinct
from burstlab.wording import count

_GROUP = ["platform", "model", "engine", "workload", "rate", "evidence"]


@dataclass(frozen=True)
class Launched:
    """What the profiled runs of one group and rate launched, whatever their arrivals: rows of the table `paths`."""

    subject: Subject
    evidence: str
    rows: pd.DataFrame

    @property
    def conditions(self) -> tuple[Conditions, ...]:
        """Under what the runs ran, each once."""
        return distinct(self.rows)

    def has(self, *families: str) -> bool:
        """Whether a kernel of one of these families ran at all."""
        return bool(self.rows["family"].isin(families).any())

    def share(
        self, claim: Claim, kind: str, family: str, words: str, most: bool, direct: bool
    ) -> Check | None:
        """The share of the iterations of a kind that launched a family; None where there was no such iteration.

        It is claimed of nearly all of them (`most`) or of hardly any: `claim.parameters["nearly"]` of them or more, or as
        few as that leaves.
        """
        of_kind = self.rows[self.rows["kind"] == kind]
        total = int(of_kind.drop_duplicates("cell")["iterations"].sum())
        found = proportion_interval(int(of_kind.loc[of_kind["family"] == family, "with_it"].sum()), total)
        if found is None:
            return None
        nearly = claim.parameters["nearly"]
        region = (
            Region(f"{nearly:g} or more", nearly, math.inf)
            if most
            else Region(f"{1 - nearly:.4g} or less", -math.inf, 1 - nearly)
        )
        return Check(
            quantity=f"share of {kind} iterations with {words}",
            unit="",
            evidence=self.evidence,
            interval=found,
            region=region,
            subject=self.subject,
            direct=direct,
            note=count(self.rows["cell"].nunique(), "profiled run"),
            confounds=confounds(judge_arms(self.conditions)),
        )


def launched(evidence: Evidence) -> Iterator[Launched]:
    """One for each platform, model, engine, workload, rate and evidence that has profiled runs."""
    for values, rows in evidence.paths.groupby(_GROUP, sort=True):
        platform, model, engine, workload, rate, kind = values
        subject = Subject(str(platform), str(model), str(engine), str(workload), float(str(rate)))
        yield Launched(subject, str(kind), rows)
