"""Figures of profiled runs: what they take from the tables, and what they say of it."""

from pathlib import Path

import pandas as pd
import pytest
from tests.figures import made_timeline

from burstlab.figures import fig5
from burstlab.figures.registry import BY_NAME, PROFILE_FIGURES, FigureKind
from burstlab.figures.tables import Tables
from burstlab.figures.write import render

GROUP = ("cpu", "tiny-gqa", "eager", "random")
KINDS = list(PROFILE_FIGURES)


def run(
    burstiness: float, seed: int, evidence: str = "measured", failed_gates: str = ""
) -> dict[str, object]:
    platform, model, engine, workload = GROUP
    return {
        "cell": f"{'/'.join(GROUP)}/rate-6/burst-{burstiness:g}/seed-{seed}",
        "platform": platform,
        "model": model,
        "engine": engine,
        "workload": workload,
        "arrivals": "gamma",
        "evidence": evidence,
        "counted": True,
        "failed_gates": failed_gates,
        "rate": 6.0,
        "burstiness": burstiness,
        "cv": burstiness**-0.5,
        "seed": seed,
    }


def tables(folder: Path, runs: list[dict[str, object]], index: float | None = 2.0) -> Tables:
    """Both tables: in each run attention takes 3 ms a token in mixed iterations and 1.5 ms in decode-only ones."""
    cost = {"mixed_us": 3000.0, "decode_only_us": 1500.0, "blocks": 5, "why": None}
    interval = {"index": index, "low": 1.5 if index else None, "high": 2.5 if index else None}
    pd.DataFrame(
        [
            {**one, **cost, **interval, "per": per, "part": part}
            for one in runs
            for per in ("token", "iteration")
            for part in ("iteration", "attention")
        ]
    ).to_parquet(folder / "interference.parquet")
    counts = {"iterations": 4, "context_tokens": 0, "generation_tokens": 8}
    pd.DataFrame(
        [
            {**one, **counts, "kind": kind, "part": part, "time_us": time_us}
            for one in runs
            for kind in ("decode-only", "mixed")
            for part, time_us in (("attention", 8000.0), ("gemm", 2000.0))
        ]
    ).to_parquet(folder / "breakdown.parquet")
    pd.DataFrame([{**one, **row} for one in runs for row in made_timeline.of_three_iterations()]).to_parquet(
        folder / "timeline.parquet"
    )
    return Tables(folder)


def test_figure_5_draws_attention_alone(tmp_path: Path) -> None:
    frame, svg = render(BY_NAME["fig5"], tables(tmp_path, [run(1.0, 0), run(0.1, 0)]), GROUP)
    assert len(frame) == 4
    assert frame["mixed_us"].tolist() == [3000.0] * 4
    assert b"\xc3\x97 2" in svg  # the index
    assert b"(1.5 to 2.5)" in svg


def test_a_run_in_which_something_else_ran_is_left_out_and_said_to_be(tmp_path: Path) -> None:
    runs = [
        run(1.0, 0),
        run(1.0, 1, failed_gates="cores-to-itself"),
        run(1.0, 2, failed_gates="attention-backend"),
    ]
    for name in ("fig5", "figK"):
        frame, svg = render(BY_NAME[name], tables(tmp_path, runs), GROUP)
        assert len(frame["cell"].unique()) == 3
        assert b"3 profiled runs, of which 1 left out: attention-backend" in svg
    assert b"(2 runs)" in render(BY_NAME["fig5"], tables(tmp_path, runs), GROUP)[1]


def test_nothing_slows_simulated_runs_down(tmp_path: Path) -> None:
    runs = [run(1.0, 0, "simulated"), run(1.0, 1, "simulated", failed_gates="steady")]
    _, svg = render(BY_NAME["fig5"], tables(tmp_path, runs), GROUP)
    assert b"2 profiled runs." in svg
    assert b"Recording" not in svg


def test_runs_whose_kinds_of_iteration_are_not_what_they_seem_are_left_out(tmp_path: Path) -> None:
    runs = [run(1.0, 0), run(1.0, 1, failed_gates="few-preemptions,steady")]
    _, svg = render(BY_NAME["fig5"], tables(tmp_path, runs), GROUP)
    assert (
        b"2 profiled runs, of which 1 left out: few-preemptions. Recording slowed the measured ones down."
        in svg
    )


def test_seeds_of_a_replayed_trace_stand_together(tmp_path: Path) -> None:
    windows = [
        {**run(1.0, seed), "arrivals": "trace:azure", "burstiness": None, "cv": 1.5 + seed}
        for seed in range(2)
    ]
    _, svg = render(BY_NAME["fig5"], tables(tmp_path, windows), GROUP)
    assert svg.count(b"(2 runs)") == 2  # one pair of bars in each panel


def test_a_cost_without_interval_is_said_to_have_none(tmp_path: Path) -> None:
    _, svg = render(BY_NAME["fig5"], tables(tmp_path, [run(1.0, 0)], index=None), GROUP)
    assert b"no interval" in svg


def test_figure_k_has_mean_times_of_one_iteration(tmp_path: Path) -> None:
    frame, _ = render(BY_NAME["figK"], tables(tmp_path, [run(1.0, 0)]), GROUP)
    assert frame.groupby("part")["mean_ms"].first().to_dict() == {"attention": 2.0, "gemm": 0.5}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_they_say_their_evidence_and_how_many_runs_they_show(kind: FigureKind, tmp_path: Path) -> None:
    found = tables(tmp_path, [run(1.0, seed, "simulated") for seed in range(2)])
    _, svg = render(kind, found, GROUP)
    assert b"simulated" in svg
    # The course of one run is shown, the first.
    assert (b"b=1, seed 0" if kind.name == "figT" else b"2 profiled runs") in svg


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_group_without_runs_says_so(kind: FigureKind, tmp_path: Path) -> None:
    found = tables(tmp_path, [run(1.0, 0)])
    _, svg = render(kind, found, ("cpu", "other", "eager", "random"))
    assert b"Nothing to draw" in svg


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_same_tables_give_the_same_bytes(kind: FigureKind, tmp_path: Path) -> None:
    found = tables(tmp_path, [run(b, seed) for b in (1.0, 0.1) for seed in range(2)])
    assert render(kind, found, GROUP)[1] == render(kind, found, GROUP)[1]


def test_runs_that_agree_to_two_digits_are_one_number() -> None:
    def text(*indices: float) -> str:
        return fig5.index_text(pd.DataFrame({"index": indices}))

    assert text(3.99, 4.01) == "× 4\n(2 runs)"
    assert text(3.9, 4.2, 4.0) == "× 3.9 to 4.2\n(3 runs)"
