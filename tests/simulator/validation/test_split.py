from typing import Any

from burstlab.simulator.validation.split import ARRIVALS, RATES, SEEDS, WORKLOADS, splits


def row(
    seed: int, burstiness: float | None = 1.0, rate: float = 10.0, workload: str = "chat"
) -> dict[str, Any]:
    arrivals = "gamma" if burstiness is not None else "trace:azure"
    return {
        "cell": f"{workload} {rate:g} {burstiness} {seed}",
        "workload": workload,
        "rate": rate,
        "arrivals": arrivals,
        "burstiness": burstiness,
        "seed": seed,
    }


def of_way(way: str, rows: list[dict[str, Any]]) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return [(one.fitted_on, one.known, one.unknown) for one in splits(rows) if one.way == way]


def test_the_two_lowest_seeds_of_each_burstiness_tell_the_others() -> None:
    rows = [row(seed) for seed in (4, 2, 3)] + [row(seed, 0.1) for seed in (0, 1, 2)]
    assert of_way(SEEDS, rows) == [
        (
            "chat at 10 requests/s, the two lowest seeds of each burstiness",
            ("chat 10 1.0 2", "chat 10 1.0 3", "chat 10 0.1 0", "chat 10 0.1 1"),
            ("chat 10 1.0 4", "chat 10 0.1 2"),
        )
    ]


def test_two_seeds_leave_none_to_predict() -> None:
    assert of_way(SEEDS, [row(0), row(1)]) == []


def test_the_arrivals_closest_to_poisson_tell_all_others_and_traces() -> None:
    rows = [row(0, 0.5), row(0, 1.5), row(0, 0.1), row(0, None)]
    assert of_way(ARRIVALS, rows) == [
        (
            "chat at 10 requests/s, b = 1.5",
            ("chat 10 1.5 0",),
            ("chat 10 0.5 0", "chat 10 0.1 0", "chat 10 None 0"),
        )
    ]


def test_traces_alone_tell_no_other_arrivals() -> None:
    assert of_way(ARRIVALS, [row(0, None), row(1, None)]) == []


def test_each_rate_is_told_by_the_others_of_its_workload() -> None:
    rows = [row(0), row(0, rate=20.0), row(0, rate=30.0, workload="code")]
    assert of_way(RATES, rows) == [
        ("chat at other rates than 10 requests/s", ("chat 20 1.0 0",), ("chat 10 1.0 0",)),
        ("chat at other rates than 20 requests/s", ("chat 10 1.0 0",), ("chat 20 1.0 0",)),
    ]


def test_each_workload_is_told_by_the_others() -> None:
    rows = [row(0), row(1), row(0, workload="code")]
    assert of_way(WORKLOADS, rows) == [
        ("other workloads than chat", ("code 10 1.0 0",), ("chat 10 1.0 0", "chat 10 1.0 1")),
        ("other workloads than code", ("chat 10 1.0 0", "chat 10 1.0 1"), ("code 10 1.0 0",)),
    ]
