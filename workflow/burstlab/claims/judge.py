"""All claims on one study's tables."""

import csv
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from burstlab.claims.alike import alike, merged
from burstlab.claims.decide import Verdict, decide
from burstlab.claims.evidence import Evidence
from burstlab.claims.families import corrected, corrections
from burstlab.claims.load import LEDGER, load_claims
from burstlab.claims.registry import estimator
from burstlab.claims.schema import Claim
from burstlab.claims.show import show
from burstlab.claims.table import write_tables
from burstlab.figures.tables import Tables


def judge(claims: Sequence[Claim], evidence: Evidence) -> Iterator[Verdict]:
    """The verdicts, in order of the claims."""
    same = alike(evidence.contrasts())
    found = corrections(evidence.contrasts(), same)
    for claim in claims:
        checks = estimator(claim.estimator)(claim, evidence) if claim.estimator else ()
        yield from decide(claim, list(merged([corrected(check, found) for check in checks], same)))


def write_verdicts(tables: Path, ledger: Path = LEDGER, left_out: Collection[str] = ()) -> int:
    """Writes `verdicts` and `checks` beside the study tables in `tables`; the number of verdicts.

    Tables of profiled runs and of exact batches count where they are there, but for those `left_out`, which are another study's.

    Raises BurstlabError where the ledger or a table is at fault.
    """
    verdicts = list(judge(load_claims(ledger), Evidence(Tables(tables, left_out))))
    write_tables(verdicts, tables)
    return len(verdicts)


def shown_verdicts(table: Path) -> str:
    """The table `verdicts.csv` as text for a terminal."""
    with table.open(newline="") as file:
        return show(list(csv.DictReader(file)))
