from typing import Any

import pandas as pd
import pytest

from burstlab.claims.families import FAMILIES
from burstlab.report import findings
from burstlab.report.findings import METRICS, Among, Comparison


def cells(*rows: dict[str, Any]) -> pd.DataFrame:
    usual: dict[str, Any] = {"platform": "cpu", "model": "m", "engine": "e", "workload": "w"}
    usual |= {"vllm_version": "0.33.0"}
    usual |= {
        "rate": 10.0,
        "arrivals": "gamma",
        "cv": 1.0,
        "seed": 0,
        "evidence": "measured",
        "counted": True,
    }
    usual |= {"load": 0.6, "mean_e2el_ms": 1.0, "median_ttft_ms": 1.0, "decode_only_token_share": 0.5}
    return pd.DataFrame([usual | row for row in rows])


def tpot(steady: list[float], bursty: list[float], **more: Any) -> list[dict[str, Any]]:
    rows = []
    for b, values in ((1.0, steady), (0.1, bursty)):
        rows += [{"burstiness": b, "seed": n, "median_tpot_ms": v} | more for n, v in enumerate(values)]
    return rows


def comparisons(frame: pd.DataFrame) -> list[Comparison]:
    """Those of a study that has these cells alone."""
    return list(findings.comparisons(frame, Among.of(frame)))


def only(frame: pd.DataFrame) -> Comparison:
    (comparison,) = comparisons(frame)
    return comparison


def test_a_clear_fall_is_said_with_its_size_and_interval() -> None:
    # Every seed falls by a fifth: the log ratios have no spread.
    comparison = only(cells(*tpot([40, 50, 60], [32, 40, 48])))
    finding = comparison.findings[0]
    assert finding.verdict == "fell"
    assert finding.sentence == (
        "Median TPOT fell from 50.0 to 40.0 ms (−20.0%; 95% interval −20.0 to −20.0%; 3 paired seeds, measured)."
    )
    assert (finding.short, finding.size, finding.interval) == (
        "−20.0%",
        "50.0 → 40.0 ms",
        "(−20.0 to −20.0%)",
    )
    assert (comparison.steady, comparison.bursty, comparison.rate) == (
        "b=1 (CV 1)",
        "b=0.1 (CV 1)",
        "10 req/s",
    )
    assert comparison.load == pytest.approx(0.6)


def test_an_interval_around_zero_does_not_tell() -> None:
    finding = only(cells(*tpot([40, 50, 60], [50, 40, 61]))).findings[0]
    assert finding.verdict == "not told"
    assert "the data do not tell" in finding.sentence


RISEN = [52.0, 96.0, 64.0, 48.0, 90.0]
"""Beside 40 throughout, an interval that just excludes 0."""


def test_what_the_interval_alone_would_tell_is_not_told_among_many() -> None:
    alone = cells(*tpot([40.0] * 5, RISEN))
    calm = [cells(*tpot([40.0] * 5, [41.0, 39.0, 40.5, 39.5, 40.0], workload=f"calm {n}")) for n in range(5)]
    (comparison,) = findings.comparisons(alone, Among.of(pd.concat([alone, *calm])))
    finding = comparison.findings[0]
    assert finding.verdict == "not told"
    # Six groups, each with TPOT and one metric of E2EL.
    remark = "the 95% interval excludes 0, but among 12 comparisons this is not told"
    assert finding.remark == remark
    assert finding.sentence.startswith("Median TPOT went from 40.0 to 70.0 ms (")
    assert finding.sentence.endswith(f"5 paired seeds, measured): {remark}.")


def test_what_its_family_tells_has_no_remark() -> None:
    finding = only(cells(*tpot([40, 50, 60], [32, 40, 48]))).findings[0]
    assert (finding.verdict, finding.remark) == ("fell", "")


def test_every_metric_of_the_page_has_a_family() -> None:
    assert {metric.column for metric in METRICS} <= {name for some in FAMILIES.values() for name in some}


def test_one_seed_gives_no_verdict() -> None:
    finding = only(cells(*tpot([40], [30]))).findings[0]
    assert finding.verdict == "no verdict"
    assert "no verdict" in finding.sentence


def test_seeds_that_do_not_pair_give_no_verdict() -> None:
    rows = tpot([40], [30])
    rows[1]["seed"] = 5
    assert "no seed was counted at both" in only(cells(*rows)).findings[0].sentence


def test_excluded_cells_do_not_speak() -> None:
    rows = tpot([40, 50], [30, 40])
    rows[0]["counted"] = False
    assert only(cells(*rows)).findings[0].verdict == "no verdict"


def test_two_pairs_give_no_verdict_however_alike_they_are() -> None:
    finding = only(cells(*tpot([40, 50], [20, 25]))).findings[0]
    assert (finding.verdict, finding.short) == ("no verdict", "−50.0%")
    assert finding.sentence.endswith(
        "2 paired seeds, measured): no verdict, for fewer than 3 pairs show too little of the spread."
    )


def test_arms_on_two_versions_give_no_finding_and_say_why() -> None:
    steady, bursty = tpot([40, 50, 60], []), tpot([], [20, 25, 30])
    rows = [row | {"vllm_version": "0.22.1"} for row in steady]
    comparison = only(cells(*rows, *bursty))
    assert comparison.findings[0].verdict == "different conditions"
    assert comparison.findings[0].sentence.endswith(
        ": no finding, for not only the bursts were different: same-engine-version: vLLM 0.22.1, 0.33.0."
    )
    assert comparison.findings[1].verdict == "not told"  # E2EL is the same in both


def test_shares_are_told_in_points() -> None:
    rows = tpot([1, 1, 1], [1, 1, 1])
    for row, share in zip(rows, (0.5, 0.5, 0.5, 0.6, 0.6, 0.6), strict=True):
        row["decode_only_token_share"] = share
    finding = only(cells(*rows)).findings[3]
    assert finding.sentence.startswith("Decode-only share of tokens rose from 50.0 to 60.0% (+10.0 points;")
    assert (finding.short, finding.size) == ("+10.0 points", "50.0 → 60.0%")


def test_a_change_of_times_is_that_of_their_geometric_means() -> None:
    # One seed doubles, the others stay: the ratio's geometric mean is the third root of 2.
    finding = only(cells(*tpot([10, 10, 10], [20, 10, 10]))).findings[0]
    assert (finding.verdict, finding.short) == ("not told", "+26.0%")


def test_measured_and_simulated_seeds_are_never_paired() -> None:
    frame = cells(*tpot([40, 50], [30, 40]), *tpot([10, 20], [10, 20], evidence="simulated"))
    assert [comparison.evidence for comparison in comparisons(frame)] == ["measured", "simulated"]


def test_traces_capacity_probes_and_single_burstiness_give_none() -> None:
    rows = tpot([40, 50], [])
    rows.append({"burstiness": None, "arrivals": "trace:azure", "median_tpot_ms": 1.0})
    rows += tpot([1], [2], rate=float("inf"))
    assert comparisons(cells(*rows)) == []


def test_an_engine_whose_simulation_is_the_same_is_said_to_repeat_it() -> None:
    frames = [
        cells(*tpot([40, 50, 60], [32, 40, 48], engine=engine, evidence="simulated"))
        for engine in ("default", "fa3")
    ]
    among = Among.of(pd.concat(frames))
    (first,), (again,) = (list(findings.comparisons(frame, among)) for frame in frames)
    assert (first.repeats, again.repeats) == ("", "default")
    assert first.findings == again.findings
