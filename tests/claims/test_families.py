"""A change has one adjusted p-value, whoever speaks of it."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.claims.made import CPU, cells, claim, evidence

from burstlab.claims.check import Check, falls, near
from burstlab.claims.decide import Verdict
from burstlab.claims.evidence import Evidence
from burstlab.claims.families import FAMILIES, Correction, corrected, corrections
from burstlab.claims.judge import judge
from burstlab.claims.load import load_claims
from burstlab.claims.summary import summarise
from burstlab.statistics.interval import Interval

# The log ratios of five seeds: a mean of 0.5 and a standard deviation of 0.35, so p is about 0.03.
RISEN = (52.0, 96.0, 64.0, 48.0, 90.0)


def study(folder: Path, calm: int = 5) -> Evidence:
    """One group whose median TPOT rises, just, and `calm` groups in which nothing changes."""
    rows = [row | {"model": f"calm-{n}"} for n in range(calm) for b in (1.0, 0.1) for row in cells(b)]
    for row in rows:
        row["cell"] = f"{row['model']}/{row['cell']}"
    rows += cells(1.0)
    rows += [row | {"median_tpot_ms": value} for row, value in zip(cells(0.1), RISEN, strict=True)]
    return evidence(folder, rows)


def spoken_of(verdicts: list[Verdict]) -> dict[str, Check]:
    """Claim → its check of the risen median TPOT."""
    quantity = "relative change of median TPOT"
    return {
        verdict.claim.id: check
        for verdict in verdicts
        for check in verdict.checks
        if check.quantity == quantity and check.subject.model == CPU["model"]
    }


def test_two_claims_on_the_same_change_say_the_same_of_it(tmp_path: Path) -> None:
    found = spoken_of(list(judge([claim("B1"), claim("B14")], study(tmp_path))))
    assert set(found) == {"B1", "B14"}
    one, other = found["B1"], found["B14"]
    assert (one.p_value, one.adjusted_p, one.result) == (other.p_value, other.adjusted_p, "not told")
    assert one.p_value == pytest.approx(0.03, abs=0.02)
    assert one.comparisons == other.comparisons == 6 * len(FAMILIES["TPOT and E2EL"])
    assert one.taken_back
    assert other.taken_back


def test_a_claim_judged_alone_says_what_it_says_among_all(tmp_path: Path) -> None:
    found = study(tmp_path)
    assert spoken_of(list(judge([claim("B14")], found))) == {
        "B14": spoken_of(list(judge(load_claims(), found)))["B14"]
    }


def test_what_the_interval_alone_would_tell_is_said_to_be_not_told(tmp_path: Path) -> None:
    (verdict,) = judge([claim("B14")], study(tmp_path))
    said = "in 1 of them the 95% interval excludes 0, but among 30 comparisons this is not told"
    assert said in summarise(verdict)


def test_platforms_and_evidence_are_corrected_apart_and_thin_groups_are_in_no_family(tmp_path: Path) -> None:
    rows = cells(1.0) + cells(0.1, median_tpot_ms=50.0)
    alone = corrections(evidence(tmp_path, rows).contrasts(), same={})
    more = [row | {"evidence": "simulated", "cell": f"s/{row['cell']}"} for row in rows]
    more += [row | {"platform": "h200", "cell": f"h/{row['cell']}"} for row in rows]
    more += [
        row | {"model": "thin", "cell": f"t/{row['cell']}"} for b in (1.0, 0.1) for row in cells(b, seeds=2)
    ]
    among = corrections(evidence(tmp_path, rows + more).contrasts(), same={})
    assert {key: among[key] for key in alone} == alone
    assert all(subject.model != "thin" for subject, _, _ in among)
    assert len(among) == 3 * len(alone)


def test_only_a_direction_of_a_metric_takes_its_correction() -> None:
    interval = Interval(-2.0, -3.0, -1.0, 5, "t")
    check = Check("x", "", "measured", interval, falls(), p_value=0.01, metric="median_tpot_ms")
    found = {(check.subject, "measured", "median_tpot_ms"): Correction(0.2, 7)}
    assert (corrected(check, found).adjusted_p, corrected(check, found).comparisons) == (0.2, 7)
    for other in (replace(check, metric=""), replace(check, region=near(-2, 1), p_value=None)):
        assert corrected(other, found) == other


def test_each_metric_is_in_one_family() -> None:
    columns = [column for some in FAMILIES.values() for column in some]
    assert len(columns) == len(set(columns))
