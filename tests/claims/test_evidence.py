from pathlib import Path

from tests.claims.made import CPU, cells, evidence


def test_a_cell_that_is_not_counted_is_not_seen(tmp_path: Path) -> None:
    rows = cells(1.0) + cells(0.1)
    rows[7] |= {"counted": False, "failed_gates": "lateness", "median_tpot_ms": 1e9}
    (contrast,) = evidence(tmp_path, rows).contrasts()
    assert sorted(contrast.steady("median_tpot_ms")) == [0, 1, 2, 3, 4]
    assert sorted(contrast.bursty("median_tpot_ms")) == [0, 1, 3, 4]
    assert rows[7]["cell"] not in set(contrast.cells["cell"])


def test_the_ends_of_burstiness_are_compared(tmp_path: Path) -> None:
    (contrast,) = evidence(tmp_path, cells(0.5) + cells(0.1) + cells(1.0)).contrasts()
    assert (contrast.steady_b, contrast.bursty_b) == (1.0, 0.1)
    assert contrast.subject.setting == "b=1 → 0.1"
    assert len(contrast.cells) == 15


def test_platforms_models_engines_rates_and_evidence_are_never_mixed(tmp_path: Path) -> None:
    groups = [
        CPU,
        CPU | {"platform": "h200"},
        CPU | {"model": "m"},
        CPU | {"engine": "e"},
        CPU | {"workload": "w"},
    ]
    rows = [row for group in groups for b in (1.0, 0.1) for row in cells(b, group)]
    rows += [row for b in (1.0, 0.1) for row in cells(b, rate=20.0) + cells(b, evidence="simulated")]
    contrasts = list(evidence(tmp_path, rows).contrasts())
    assert len(contrasts) == 7
    assert all(len(contrast.cells) == 10 for contrast in contrasts)
    assert all(contrast.cells["evidence"].nunique() == 1 for contrast in contrasts)


def test_capacity_cells_traces_and_single_burstinesses_give_none(tmp_path: Path) -> None:
    rows = cells(1.0) + cells(0.1, rate=float("inf")) + cells(0.1, arrivals="trace:azure")
    assert list(evidence(tmp_path, rows).contrasts()) == []


def test_an_empty_study_gives_none(tmp_path: Path) -> None:
    assert list(evidence(tmp_path, []).contrasts()) == []


def test_the_prompts_share_of_mixed_batches_by_hand(tmp_path: Path) -> None:
    rows = cells(1.0, seeds=1) + cells(0.1, seeds=1)
    batch = {"cell": rows[0]["cell"], "elapsed_ms": 1.0}
    iterations = [
        batch | {"kind": "mixed", "context_tokens": 90, "generation_tokens": 10},
        batch | {"kind": "mixed", "context_tokens": 60, "generation_tokens": 40},
        batch | {"kind": "decode-only", "context_tokens": 0, "generation_tokens": 1000},
    ]
    (contrast,) = evidence(tmp_path, rows, iterations).contrasts()
    assert contrast.steady("mixed_context_share") == {0: 0.75}
