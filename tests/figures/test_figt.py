"""Which run and which window of it the timeline shows."""

from pathlib import Path
from typing import Any

import pandas as pd
from tests.figures.made_timeline import arrival, iteration, of_three_iterations
from tests.figures.test_profiled_runs import GROUP, run

from burstlab.figures import figt
from burstlab.figures.registry import BY_NAME
from burstlab.figures.tables import Tables
from burstlab.figures.write import render

SHOWN = figt.ITERATIONS_SHOWN


def tables(folder: Path, *runs: tuple[dict[str, object], list[dict[str, Any]]]) -> Tables:
    rows = [{**of, **row} for of, course in runs for row in course]
    pd.DataFrame(rows).to_parquet(folder / "timeline.parquet")
    return Tables(folder)


def quiet_then_bursty() -> list[dict[str, Any]]:
    """200 decodes of 10 ms; requests arrive at 505 ms, and five of them around 1,305 ms."""
    decodes = [iteration(10 * number, 10) for number in range(200)]
    return [*decodes, arrival(505), *(arrival(1301 + number) for number in range(5))]


def test_the_window_holds_the_densest_arrivals(tmp_path: Path) -> None:
    frame = figt.data(tables(tmp_path, (run(0.1, 0), quiet_then_bursty())), GROUP)
    arrivals = frame[frame["what"] == "arrival"]
    assert len(arrivals) == 5
    # The first window of 40 iterations that has all five ends at 1,310, and so begins 400 + 8 ms before.
    assert arrivals["begin_ms"].iloc[0] == 1301 - (910 - 8)
    assert frame["window_ms"].unique().tolist() == [408]
    assert (frame["what"] == "iteration").sum() == SHOWN + 1  # one that had begun before


def test_a_short_run_is_shown_whole(tmp_path: Path) -> None:
    frame = figt.data(tables(tmp_path, (run(0.1, 0), of_three_iterations())), GROUP)
    assert len(frame) == 5
    assert frame["window_ms"].iloc[0] == 230 * 1.02


def test_it_is_the_first_seed_of_the_burstiest_arrivals(tmp_path: Path) -> None:
    runs = [(run(b, seed), of_three_iterations()) for b in (1.0, 0.1, 0.5) for seed in (2, 1)]
    frame = figt.data(tables(tmp_path, *runs), GROUP)
    assert set(frame["cell"]) == {run(0.1, 1)["cell"]}


def test_a_run_in_which_something_else_ran_is_not_shown(tmp_path: Path) -> None:
    odd = run(0.1, 0, failed_gates="scheduler")
    frame = figt.data(
        tables(tmp_path, (odd, of_three_iterations()), (run(1.0, 0), of_three_iterations())), GROUP
    )
    assert set(frame["burstiness"]) == {1.0}


def test_without_arrivals_the_prompts_show_where_the_burst_is(tmp_path: Path) -> None:
    course = [{**iteration(10 * number, 10), "why": "it is not known"} for number in range(200)]
    for number in (150, 151):
        course[number] = {**iteration(10 * number, 10, 50), "why": "it is not known"}
    found = tables(tmp_path, (run(0.1, 0), course))
    frame = figt.data(found, GROUP)
    assert (frame["kind"] == "mixed").sum() == 2
    _, svg = render(BY_NAME["figT"], found, GROUP)
    assert b"Arrivals could not be placed: it is not known." in svg
    assert b"arrivals not known" in svg


def test_it_says_how_well_arrivals_are_placed(tmp_path: Path) -> None:
    _, svg = render(BY_NAME["figT"], tables(tmp_path, (run(0.1, 0), of_three_iterations())), GROUP)
    assert "placed to ± 2.50 ms" in svg.decode()
    assert b"2 arrivals and 3 iterations" in svg
